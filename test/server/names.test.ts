import { describe, expect, it } from 'vitest';
import { namespacedName } from '../../src/server/catalog/names.js';
import { namespacedUri, splitUri } from '../../src/server/catalog/uris.js';

describe('names of namespaced backends', () => {
  it('keep to the letters that a tool name may have', () => {
    expect(namespacedName('git', 'status', 128)).toBe('git_status');
    expect(namespacedName('my host', 'a/b c', 128)).toBe('my_host_a_b_c');
  });

  it('that are too long end in a digest of where they come from', () => {
    const long = 'x'.repeat(200);
    const name = namespacedName('git', long, 128);
    expect(name).toHaveLength(128);
    expect(namespacedName('git', long, 128)).toBe(name);
    expect(namespacedName('git', `${long}y`, 128)).not.toBe(name);
  });
});

describe('URIs of namespaced backends', () => {
  it('can be taken apart again', () => {
    for (const uri of ['file:///a/b', 'test://x?y#z', 'urn:a:b']) {
      expect(splitUri(namespacedUri('git', uri))).toEqual({ namespace: 'git', uri });
    }
  });

  it('are told from everything else', () => {
    for (const uri of ['file:///a', 'mcpx://', 'mcpx://git', 'mcpx://git/', 'mcpx:///a']) {
      expect(splitUri(uri)).toBeUndefined();
    }
  });
});
