/** Bounds the nesting of what arrives, so that no recursive step after it can run out of stack. */

/** Whether arrays and objects are nested in more than `limit` levels. Looks no deeper than that. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, limit - 1)) return true;
    return false;
  }
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], limit - 1)) return true;
  }
  return false;
}
