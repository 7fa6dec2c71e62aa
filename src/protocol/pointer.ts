/** Steps of a JSON pointer (RFC 6901), as it spells them and as they are. */

export function escapedStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function plainStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
