/** `initialize`, `ping` and `server/discover`. */
import { NEWEST_LEGACY, type Revision } from '../../../generated/revisions.js';
import type {
  ClientCapabilities,
  DiscoverResult,
  Implementation,
  ServerCapabilities,
} from '../../../generated/newest/types.js';
import type { Bare } from '../../backends/backend.js';
import { legacyPeerOf } from '../classify.js';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../era.js';
import type { MethodFamily, Serving } from '../serving.js';
import { TASKS_EXTENSION } from '../../protocol/reserved.js';

export const lifecycle: MethodFamily = {
  initialize: {
    // Whatever version is asked for, the answer names one that is served (basic/lifecycle).
    handle(serving, call) {
      const { protocolVersion, capabilities, clientInfo } = call.params;
      const served = (LEGACY_REVISIONS as readonly unknown[]).includes(protocolVersion);
      const peer = legacyPeerOf(
        served ? (protocolVersion as Revision) : NEWEST_LEGACY,
        capabilities as ClientCapabilities,
        clientInfo as Implementation,
        call.exchange.principal,
      );
      call.connection?.negotiated(peer);
      call.speakAs(peer);
      return discovered(serving);
    },
  },
  ping: {
    handle: () => ({}),
  },
  'server/discover': {
    handle: discovered,
  },
};

/** One answer for both eras; the edge makes the older one's of it. */
function discovered({ catalog, instructions }: Serving): Bare<DiscoverResult> {
  return {
    supportedVersions: [...MODERN_REVISIONS],
    capabilities: withTasks(catalog.capabilities),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Both task systems: the edge leaves the client that of its revision, or none. */
function withTasks(capabilities: ServerCapabilities): ServerCapabilities {
  if (capabilities.tools === undefined) return capabilities;
  const extensions = { ...capabilities.extensions, [TASKS_EXTENSION]: {} };
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  return { ...capabilities, extensions, tasks } as ServerCapabilities;
}
