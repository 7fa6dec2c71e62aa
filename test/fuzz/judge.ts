/** Whether what came back is a strictly valid answer for whom it was meant. */
import { NEWEST, eraOf, type Revision } from '../../generated/revisions.js';
import { loadChecker } from '../../src/edge/check.js';
import { describeViolation } from '../../src/edge/outgoing.js';
import type { Message } from '../support/stdio-client.js';

/** What mcpx itself may say, by era. Nothing here relays errors of anybody else. */
const CODES = {
  legacy: [-32700, -32600, -32601, -32602, -32603, -32002, -32022],
  modern: [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022],
};

const check = await loadChecker();

/** What is wrong with a frame that mcpx sent; `asked` is the method of the request it answers. */
export function faultsIn(frame: Message, revision: Revision, asked: string | undefined): string[] {
  if (frame.error !== undefined) {
    // Without an id it belongs to no request, and so to no revision but the one that has such errors.
    const to = frame.id === undefined ? NEWEST : revision;
    const { code } = frame.error;
    const own = CODES[eraOf(to)].includes(code)
      ? []
      : [`${code} is no error of the ${eraOf(to)} era`];
    return [...own, ...violations(frame, to, 'error', asked)];
  }
  if (frame.result !== undefined) {
    const named = asked === 'initialize' ? frame.result['protocolVersion'] : revision;
    return violations(frame, named as Revision, 'result', asked);
  }
  return violations(frame, revision, 'notification', frame.method);
}

function violations(
  frame: Message,
  revision: Revision,
  kind: 'error' | 'result' | 'notification',
  method: string | undefined,
): string[] {
  return check({ revision, sender: 'server', kind, method }, frame).map(describeViolation);
}
