/** How `/v1` says that something went wrong (RFC 9457). */
import type { FastifyReply } from 'fastify';
import { PROBLEM_TYPE } from '../../../operations/openapi.js';
import type { Refused } from '../../../operations/operation.js';

export function problem(reply: FastifyReply, { status, message }: Refused): void {
  const title = TITLES[status] ?? 'The operation failed';
  void reply
    .code(status)
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify({ title, status, detail: message }));
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Wrong input',
  401: 'Not authorized',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Cannot be done',
  502: 'The backend failed',
  503: 'Not now',
};
