import { isObject } from '../../protocol/jsonrpc.js';
import { refuse } from '../refusal.js';
import type { Conversion } from './conversion.js';

/** On a block of a sampling message. A model that is told of audio in words would answer the words. */
export const refuseSamplingAudio: Conversion = (block) =>
  isObject(block) && block['type'] === 'audio'
    ? refuse("the client's revision has no audio in sampling")
    : block;
