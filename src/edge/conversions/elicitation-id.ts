import { randomUUID } from 'node:crypto';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On the params of an elicitation: url mode needs an id here, and gets one if it has none. */
export const elicitationId: Conversion = (params) =>
  isObject(params) && params['mode'] === 'url' && params['elicitationId'] === undefined
    ? { ...params, elicitationId: `mcpx-${randomUUID()}` }
    : params;
