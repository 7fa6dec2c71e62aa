/** Which backend was made of which part of the configuration, to find out what another one changes. */
import type { Config } from '../config/config.js';
import type { Mount, Remounting } from '../server/contract.js';

/** Settings that backends are made with. */
const FOR_BACKENDS = /^(?:pool|upstream)\./;

export class MountedConfig {
  /** By the part of the configuration as text. */
  #mounts = new Map<string, Mount>();

  /** `mountsOf` makes the backends of a configuration. */
  constructor(private readonly mountsOf: (config: Config) => readonly Mount[]) {}

  /** What has to change for the configuration to be served, which is taken to be done. */
  change(config: Config): Remounting {
    const next = new Map<string, Mount>();
    const added: Mount[] = [];
    for (const part of partsOf(config)) {
      const key = keyOf(part);
      let mount = this.#mounts.get(key);
      if (mount === undefined) {
        [mount] = this.mountsOf(part);
        if (mount === undefined) continue;
        added.push(mount);
      }
      next.set(key, mount);
    }
    const kept = new Set(next.values());
    const removed = [...this.#mounts.values()].filter((mount) => !kept.has(mount));
    this.#mounts = next;
    return { removed, added };
  }
}

/** One for each backend. */
function partsOf(config: Config): Config[] {
  const nothing: Config = { ...config, servers: [], apis: [], adapters: [] };
  return [
    ...config.servers.map((server) => ({ ...nothing, servers: [server] })),
    ...config.apis.map((api) => ({ ...nothing, apis: [api] })),
    ...config.adapters.map((adapters) => ({ ...nothing, adapters: [adapters] })),
  ];
}

function keyOf({ servers, apis, adapters, settings }: Config): string {
  const governing = Object.entries(settings).filter(([key]) => FOR_BACKENDS.test(key));
  return JSON.stringify([servers, apis, adapters, governing]);
}
