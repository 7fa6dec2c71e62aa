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
import { cacheFile } from './cache-file.js';
import { storeFor } from './state.js';
import { version } from './version.js';

export interface GatewayOptions extends Config {
  /** Namespaces that are offered under their own names. */
  readonly passthrough: readonly string[];
}

/** Not started. `ending`: see `House`. */
export function createGateway(options: GatewayOptions, logger: Logger, ending: AbortSignal): House {
  const { settings, passthrough } = options;
  const info = { name: 'mcpx', version: version() };
  const diagnostics = new Diagnostics(logger);
  const broker = new Broker(settings['elicit.ttl']);
  const store = storeFor(settings);
  const mounts = [
    ...upstreamMounts(options, info, diagnostics, broker),
    ...declaredMounts(options, passthrough, diagnostics),
  ];
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
  return house;
}

/** With nothing behind it, mcpx is a reference to the protocol. */
function orItself(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.length > 0 ? mounts : [{ backend: createBuiltinBackend(), names: 'own' }];
}

/** Not started. */
export function upstreamMounts(
  { servers, settings, passthrough }: GatewayOptions,
  clientInfo: House['info'],
  diagnostics: Diagnostics,
  broker: Pick<Broker, 'ask'>,
): Mount[] {
  const patience = upstreamPatience(settings);
  const ways = settings['upstream.eraCache']
    ? new WayFile(cacheFile('eras.json'), diagnostics)
    : undefined;
  return servers.map(({ namespace, target, selection }): Mount => {
    const passThrough = passthrough.includes(namespace);
    const backend = new UpstreamBackend({
      namespace,
      target,
      clientInfo,
      patience,
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
