/** Thrown inside a projection when the peer's revision has no way to say the message. Never leaves the edge. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** `reason` completes the sentence "not sent, because …" and goes to whoever wanted to send it. */
export function refuse(reason: string): never {
  throw new RefusedError(reason);
}
