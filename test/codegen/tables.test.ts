import { describe, expect, it } from 'vitest';
import { METHODS } from '../../generated/methods.js';
import { RECEIVED, loadStrict } from '../../generated/validators.js';
import { ALL_REVISIONS } from '../support/peers.js';

const OF_EVERY_OBJECT = ['constructor', 'toString', '__proto__'];

describe.each(ALL_REVISIONS)('the tables by method of %s', (revision) => {
  it.each(OF_EVERY_OBJECT)('have no method %s', async (name) => {
    expect(METHODS[revision][name]).toBeUndefined();
    for (const validators of [RECEIVED[revision], await loadStrict(revision)]) {
      expect(validators.requests[name]).toBeUndefined();
      expect(validators.notifications[name]).toBeUndefined();
      expect(validators.results[name]).toBeUndefined();
    }
  });
});
