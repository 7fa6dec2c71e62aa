import { isObject } from '../../protocol/jsonrpc.js';
import { SERVER_INFO_KEY } from '../envelope.js';
import type { Conversion } from './conversion.js';

/** On what `server/discover` answers: the same facts as the answer to a handshake. */
export const discoverAsInitialize: Conversion = (result, context, revision) => {
  if (!isObject(result) || result['protocolVersion'] !== undefined) return result;
  const { supportedVersions: _versions, ...rest } = result;
  const meta = rest['_meta'];
  const named = isObject(meta) ? meta[SERVER_INFO_KEY] : undefined;
  return { protocolVersion: revision, ...rest, serverInfo: named ?? context?.serverInfo };
};
