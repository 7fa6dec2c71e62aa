/** Import for its effect: every frame that leaves in this test file has to be strictly valid. */
import { beforeAll } from 'vitest';
import { setOutgoingCheck } from '../../src/edge/outgoing.js';

beforeAll(() => setOutgoingCheck('error'));
