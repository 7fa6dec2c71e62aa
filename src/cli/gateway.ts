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
import { artifactSettings, coreSettings, upstreamPatience } from '../config/rooms.js';
import { OPERATIONS_NAMESPACE, addOperationTools } from '../operations/as-tools.js';
import type { House } from '../operations/operation.js';
import { Diagnostics } from '../protocol/diagnostics.js';
import { Broker } from '../questions/broker.js';
import type { CoreOptions, Mount } from '../server/contract.js';
import { createCore } from '../server/core.js';
import { declaredMounts } from './declared-mounts.js';
import { reload } from './reload.js';
import { MountedConfig } from './mounted-config.js';
import { cacheFile } from './cache-file.js';
import { storeFor } from './state.js';
import { version } from './version.js';

export interface GatewayOptions extends Config {
  /** Namespaces that are offered under their own names. */
  readonly passthrough: readonly string[];
}

export interface Gateway {
  readonly house: House;
  /** Takes up another configuration, as far as that goes while it serves; the rest is told of. */
  readonly reload: (config: Config) => Promise<void>;
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
  const ways = wayMemory(settings, diagnostics);
  const surroundings = { clientInfo: info, diagnostics, broker, ...ways };
  const mounted = new MountedConfig((part) => [
    ...upstreamMounts({ ...part, passthrough }, surroundings),
    ...declaredMounts(part, passthrough, diagnostics),
  ]);
  const mounts = mounted.change(options).added;
  const operations = new LocalBackend(OPERATIONS_NAMESPACE);
  const always: Mount[] = settings['operations.tools']
    ? [{ backend: operations, names: 'namespaced' }]
    : [];
  const plain: Omit<CoreOptions, 'mounts'> = {
    info,
    settings: coreSettings(settings),
    diagnostics,
    broker,
    ...(store !== undefined && { store }),
  };
  // In pass-through mode nothing is added to what the upstreams have.
  const isGateway = mounts.length > 0 && passthrough.length === 0;
  const fixed = new LocalBackend(info.name);
  const core = isGateway
    ? createCore({
        ...plain,
        mounts: [{ backend: fixed, names: 'own' }, ...mounts, ...always],
        artifacts: new Artifacts(artifactSettings(settings), diagnostics),
      })
    : createCore({ ...plain, mounts: [...orItself(mounts), ...always] });
  if (isGateway) addFixedTools(fixed, core.directory);
  const house: House = { core, broker, info, started: new Date(), ending };
  if (always.length > 0) addOperationTools(operations, house);
  return { house, reload: (config) => reload(core, mounted, config, logger) };
}

/** With nothing behind it, mcpx is a reference to the protocol. */
function orItself(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.length > 0 ? mounts : [{ backend: createBuiltinBackend(), names: 'own' }];
}

/** What all upstreams of a gateway share. */
export interface Surroundings {
  readonly clientInfo: House['info'];
  readonly diagnostics: Diagnostics;
  readonly broker: Pick<Broker, 'ask'>;
  /** Absent: how each is reached is found out on every start. */
  readonly ways?: WayFile;
}

export function wayMemory(
  settings: Config['settings'],
  diagnostics: Diagnostics,
): Pick<Surroundings, 'ways'> {
  if (!settings['upstream.eraCache']) return {};
  return { ways: new WayFile(cacheFile('eras.json'), diagnostics) };
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
      ...(ways !== undefined && { ways }),
      ask: (method, params, signal) =>
        broker.ask({ method, params } as Question, namespace, signal),
    });
    return { backend, names: passThrough ? 'own' : 'namespaced' };
  });
}
