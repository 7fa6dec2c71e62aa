import { isObject } from '../../protocol/jsonrpc.js';
import { refuse } from '../refusal.js';
import type { Conversion } from './conversion.js';

/** On the params of an elicitation. A form in its place would take in-band what url mode keeps out. */
export const refuseUrlElicitation: Conversion = (params) =>
  isObject(params) && params['mode'] === 'url'
    ? refuse("the client's revision has no url elicitation")
    : params;
