/** Settings as the rooms below know them. */
import type { ArtifactSettings } from '../backends/artifacts/artifacts.js';
import type { UpstreamPatience } from '../backends/upstream/options.js';
import type { AdjustableSettings, CoreSettings } from '../server/settings.js';
import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from '../transport/http/settings.js';
import type { OperationsSettings } from '../transport/http/v1/plugin.js';
import type { StdioOptions } from '../transport/stdio.js';
import type { Settings } from './settings.js';

export function coreSettings(settings: Settings): Partial<CoreSettings> {
  return {
    listMaxAge: settings['protoMessages.listMaxAge'],
    readMaxAge: settings['protoMessages.readMaxAge'],
    pageSize: settings['mcp.pageSize'],
    nameLength: settings['mcp.nameLength'],
    stateTTL: settings['proto.stateTTL'],
    stateKeys: settings['proto.stateKeys'],
    ...adjustableSettings(settings),
  };
}

/** Those that can be others while the core serves. */
export function adjustableSettings(settings: Settings): AdjustableSettings {
  return {
    askTimeout: settings['proto.askTimeout'],
    askRounds: settings['proto.askRounds'],
    taskEager: settings['timing.taskEager'],
    taskAfter: settings['protoMessages.taskAfter'],
    pollInterval: settings['protoTasks.pollInterval'],
    tasksTtl: settings['tasks.ttl'],
  };
}

export function artifactSettings(settings: Settings): ArtifactSettings {
  return {
    inlineLimit: settings['artifacts.inlineLimit'],
    ttl: settings['artifacts.ttl'],
    maxBytes: settings['artifacts.maxBytes'],
  };
}

export function upstreamPatience(settings: Settings): UpstreamPatience {
  return {
    callTimeout: settings['pool.callTimeout'],
    startTimeout: settings['pool.startTimeout'],
    probeTimeout: settings['upstream.probeTimeout'],
    idleTimeout: settings['pool.idleTimeout'],
  };
}

export function stdioOptions(settings: Settings): Pick<StdioOptions, 'maxLine' | 'drain'> {
  return { maxLine: settings['transport.maxBody'], drain: settings['transport.stdioDrain'] };
}

export function httpOptions(settings: Settings): Partial<HttpSettings> {
  return {
    sseKeepAlive: settings['transport.sseKeepAlive'],
    maxBody: settings['transport.maxBody'],
    allowedOrigins: settings['transport.allowedOrigins'],
    sessionIdle: settings['proto.sessionIdle'],
  };
}

/** For `/v1`. */
export function operationsOptions(settings: Settings): Omit<OperationsSettings, 'host'> {
  const token = settings['operations.token'];
  return {
    sseKeepAlive: settings['transport.sseKeepAlive'],
    maxBody: settings['transport.maxBody'],
    maxBacklog: DEFAULT_HTTP_SETTINGS.maxBacklog,
    allowedOrigins: settings['transport.allowedOrigins'],
    ...(token !== '' && { token }),
  };
}
