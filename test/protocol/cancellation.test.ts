import { describe, expect, it } from 'vitest';
import { CancellationSource } from '../../src/protocol/cancellation.js';

describe('a cancellation', () => {
  it('tells each listener once, after it has its reason, and the first reason stays', () => {
    const source = new CancellationSource();
    const heard: unknown[] = [];
    const first = new Error('the first');
    source.addEventListener('abort', () => heard.push(source.reason));
    source.addEventListener('abort', () => heard.push(source.aborted));
    expect([source.aborted, source.reason]).toEqual([false, undefined]);
    source.cancel(first);
    source.cancel(new Error('the second'));
    expect(heard).toEqual([first, true]);
    expect(source.reason).toBe(first);
  });

  it('does not tell whoever has stopped listening', () => {
    const source = new CancellationSource();
    const heard: string[] = [];
    const [one, other] = [(): unknown => heard.push('one'), (): unknown => heard.push('other')];
    source.addEventListener('abort', one);
    source.addEventListener('abort', other);
    source.removeEventListener('abort', one);
    source.removeEventListener('abort', one);
    source.cancel(new Error('over'));
    expect(heard).toEqual(['other']);
  });
});
