/** Which backend was made of which part of the configuration, to find out what another one changes. */
import type { Config } from '../config/config.js';
import type { Mount, Remounting } from '../server/contract.js';

/** Settings that backends are made with. */
const FOR_BACKENDS = /^(?:pool|upstream)\./;

export interface Maker {
  /** The backends of a configuration. */
  mountsOf(config: Config): readonly Mount[];
  /** What stands in front of them, or where there are none in their place: the same one each time. */
  frontOf(hasBackends: boolean): Mount | undefined;
}

export class MountedConfig {
  /** By the part of the configuration as text. */
  #mounts = new Map<string, Mount>();

  constructor(private readonly make: Maker) {}

  /** What has to change for the configuration to be served, which is taken to be done. */
  change(config: Config): Remounting {
    const before = new Set(this.#mounts.values());
    const next = new Map<string, Mount>();
    for (const part of partsOf(config)) {
      const key = keyOf(part);
      const mount = this.#mounts.get(key) ?? this.make.mountsOf(part)[0];
      if (mount !== undefined) next.set(key, mount);
    }
    const front = this.make.frontOf(next.size > 0);
    this.#mounts = front === undefined ? next : new Map([[FRONT, front], ...next]);
    const after = new Set(this.#mounts.values());
    return {
      removed: [...before].filter((mount) => !after.has(mount)),
      added: [...after].filter((mount) => !before.has(mount)),
    };
  }
}

/** No part of a configuration. */
const FRONT = '';

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
