/** What the configuration says, put together: backends, their questions, tasks and artifacts, one core. */
import type { Logger } from 'pino';
import { Artifacts } from '../backends/artifacts/artifacts.js';
import { createBuiltinBackend } from '../backends/builtin/backend.js';
import type { Question } from '../backends/context.js';
import { addFixedTools } from '../backends/fixed/fixed-tools.js';
import { LocalBackend } from '../backends/local/backend.js';
import { UpstreamBackend } from '../backends/upstream/backend.js';
import { WayFile } from '../backends/upstream/ways.js';
import type { Config } from '../config/config.js';
import {
  adjustableSettings,
  artifactSettings,
  coreSettings,
  upstreamPatience,
} from '../config/rooms.js';
import { OPERATIONS_NAMESPACE, addOperationTools } from '../operations/as-tools.js';
import type { House } from '../operations/operation.js';
import { Diagnostics } from '../protocol/diagnostics.js';
import { Broker } from '../questions/broker.js';
import type { Mount } from '../server/contract.js';
import { createCore } from '../server/core.js';
import { declaredMounts } from './declared-mounts.js';
import { MountedConfig } from './mounted-config.js';
import { cacheFile } from './cache-file.js';
import { storeFor } from './state.js';
import { takeUp, type TakingUp } from './take-up.js';
import { version } from './version.js';

export interface GatewayOptions extends Config {
  /** Namespaces that are offered under their own names. */
  readonly passthrough: readonly string[];
}

export interface Gateway {
  readonly house: House;
  /** Takes up another configuration, as far as that goes while it serves; the rest is told of. */
  readonly reload: (config: Config) => void;
}

/** Not started. `ending`: see `House`. */
export function createGateway(
  options: GatewayOptions,
  logger: Logger,
  ending: AbortSignal,
): Gateway {
  const { settings, passthrough } = options;
  const info = { name: 'mcpx', version: version() };
  const diagnostics = new Diagnostics(logger);
  const broker = new Broker(settings['elicit.ttl']);
  const store = storeFor(settings);
  const surroundings = { clientInfo: info, diagnostics, broker, ways: wayFile(diagnostics) };
  const fixed = new LocalBackend(info.name);
  const itself: Mount = { backend: createBuiltinBackend(), names: 'own' };
  // In pass-through mode nothing is added to what the upstreams have.
  const plain = passthrough.length > 0;
  const front: Mount | undefined = plain ? undefined : { backend: fixed, names: 'own' };
  const mounted = new MountedConfig({
    mountsOf: (part) => [
      ...upstreamMounts({ ...part, passthrough }, surroundings),
      ...declaredMounts(part, passthrough, diagnostics),
    ],
    // With nothing behind it, mcpx is a reference to the protocol.
    frontOf: (hasBackends) => (hasBackends ? front : itself),
  });
  const operations = new LocalBackend(OPERATIONS_NAMESPACE);
  const always: Mount[] = settings['operations.tools']
    ? [{ backend: operations, names: 'namespaced' }]
    : [];
  const keeping = artifactSettings(settings);
  const core = createCore({
    info,
    settings: coreSettings(settings),
    diagnostics,
    broker,
    mounts: [...mounted.change(options).added, ...always],
    ...(store !== undefined && { store }),
    ...(!plain && { artifacts: new Artifacts(keeping, diagnostics) }),
  });
  addFixedTools(fixed, core.directory);
  const house: House = { core, broker, info, started: new Date(), ending };
  if (always.length > 0) addOperationTools(operations, house);
  const serving: TakingUp = {
    settings,
    change: (config) => mounted.change(config),
    remount: (change) => core.remount(change),
    adjust(next) {
      core.adjust(adjustableSettings(next));
      // The artifacts look into it each time.
      Object.assign(keeping, artifactSettings(next));
      broker.ttl = next['elicit.ttl'];
    },
    logger,
  };
  return { house, reload: (config) => takeUp(serving, config) };
}

/** What all upstreams of a gateway share. */
export interface Surroundings {
  readonly clientInfo: House['info'];
  readonly diagnostics: Diagnostics;
  readonly broker: Pick<Broker, 'ask'>;
  readonly ways: WayFile;
}

export function wayFile(diagnostics: Diagnostics): WayFile {
  return new WayFile(cacheFile('eras.json'), diagnostics);
}

/** Not started. */
export function upstreamMounts(
  { servers, settings, passthrough }: GatewayOptions,
  { clientInfo, diagnostics, broker, ways }: Surroundings,
): Mount[] {
  const patience = upstreamPatience(settings);
  const limit = settings['upstream.maxMessage'];
  return servers.map(({ namespace, target, selection, maxMessage = limit }): Mount => {
    const passThrough = passthrough.includes(namespace);
    const backend = new UpstreamBackend({
      namespace,
      target,
      clientInfo,
      patience,
      maxMessage,
      diagnostics,
      passThrough,
      ...(selection !== undefined && { selection }),
      ...(settings['upstream.eraCache'] && { ways }),
      ask: (method, params, signal) =>
        broker.ask({ method, params } as Question, namespace, signal),
    });
    return { backend, names: passThrough ? 'own' : 'namespaced' };
  });
}
