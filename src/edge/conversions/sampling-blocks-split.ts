import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On the messages of a sampling request: one message for each block, in order, of the same role. */
export const samplingBlocksSplit: Conversion = (messages) => {
  if (!Array.isArray(messages) || !messages.some(hasBlocks)) return messages;
  return messages.flatMap((message: unknown) =>
    hasBlocks(message) ? message.content.map((content) => ({ ...message, content })) : [message],
  );
};

function hasBlocks(message: unknown): message is { content: unknown[] } {
  return isObject(message) && Array.isArray(message['content']);
}
