/** What `mcpx serve` makes of a set of backends, in this process: fixed tools, namespaces, artifacts. */
import { onTestFinished } from 'vitest';
import { Artifacts, type ArtifactSettings } from '../../src/backends/artifacts/artifacts.js';
import type { Backend } from '../../src/backends/backend.js';
import { addFixedTools } from '../../src/backends/fixed/fixed-tools.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { Broker } from '../../src/questions/broker.js';
import type { Core } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { StdioClient } from './stdio-client.js';

export interface LocalGateway {
  readonly core: Core;
  readonly diagnostics: Diagnostics;
  readonly broker: Broker;
  /** A connection of its own; it ends with the test. */
  readonly client: () => StdioClient;
}

/** Small, so that a test need not make large results. */
const ARTIFACTS: ArtifactSettings = { inlineLimit: 1000, ttl: 60_000, maxBytes: 1_000_000 };

export async function localGateway(
  backends: readonly Backend[],
  artifacts: Partial<ArtifactSettings> = {},
): Promise<LocalGateway> {
  const diagnostics = new Diagnostics();
  const broker = new Broker(60_000);
  const fixed = new LocalBackend('mcpx');
  const core = createCore({
    info: { name: 'mcpx', version: '1' },
    mounts: [
      { backend: fixed, names: 'own' },
      ...backends.map((backend) => ({ backend, names: 'namespaced' as const })),
    ],
    settings: { listChangedDelay: 1 },
    diagnostics,
    broker,
    artifacts: new Artifacts({ ...ARTIFACTS, ...artifacts }, diagnostics),
  });
  addFixedTools(fixed, core.directory);
  await core.start();
  const clients: StdioClient[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await core.close(0);
  });
  return {
    core,
    diagnostics,
    broker,
    client: () => {
      const client = new StdioClient(core);
      clients.push(client);
      return client;
    },
  };
}
