/** Paths that arguments were written into. */

/** Whether a segment is one that a URL resolves away (WHATWG URL), and so leads to another path. */
export function hasDotSegment(path: string): boolean {
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
