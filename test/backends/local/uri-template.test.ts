import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../../src/backends/local/uri-template.js';

describe('a URI template', () => {
  it('gives the variables of a URI that it matches', () => {
    const match = compileTemplate('test://template/{id}/data');
    expect(match('test://template/123/data')).toEqual({ id: '123' });
    expect(match('test://template/a%20b/data')).toEqual({ id: 'a b' });
    expect(match('test://template/1/2/data')).toBeUndefined();
    expect(match('test://template/%zz/data')).toBeUndefined();
  });

  it('takes several names, reserved characters, segments and a query', () => {
    expect(compileTemplate('x://{a},{b}')('x://1,2')).toEqual({ a: '1', b: '2' });
    expect(compileTemplate('file:///{+path}')('file:///a/b.txt')).toEqual({ path: 'a/b.txt' });
    expect(compileTemplate('x://h{/a,b}')('x://h/1/2')).toEqual({ a: '1', b: '2' });
    const query = compileTemplate('x://h/{id}{?q,page}');
    expect(query('x://h/1?page=2&q=a%20b')).toEqual({ id: '1', q: 'a b', page: '2' });
    expect(query('x://h/1')).toEqual({ id: '1' });
  });

  it('says which expression it cannot match', () => {
    expect(() => compileTemplate('x://{list*}')).toThrow('{list*} is not supported');
    expect(() => compileTemplate('x://{open')).toThrow('a brace without its other half');
  });

  it('takes names that objects have for what they are', () => {
    const variables = compileTemplate('x://{__proto__}')('x://1');
    expect(Object.entries(variables ?? {})).toEqual([['__proto__', '1']]);
  });
});
