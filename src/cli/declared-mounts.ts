/** The backends that the configuration declares outright: OpenAPI documents and adapters. */
import { AdaptersBackend } from '../backends/adapters/backend.js';
import { OpenApiBackend } from '../backends/openapi/backend.js';
import type { Config } from '../config/config.js';
import type { Diagnostics } from '../protocol/diagnostics.js';
import type { Mount } from '../server/contract.js';

/** `passthrough`: namespaces that are offered under their own names. */
export function declaredMounts(
  { apis, adapters, settings }: Config,
  passthrough: readonly string[],
  diagnostics: Diagnostics,
): Mount[] {
  const timeout = settings['pool.callTimeout'];
  const backends = [
    ...apis.map(
      ({ namespace, target }) =>
        new OpenApiBackend({ namespace, target: { timeout, ...target }, diagnostics }),
    ),
    ...adapters.map((configured) => new AdaptersBackend({ ...configured, timeout, diagnostics })),
  ];
  return backends.map((backend) => ({
    backend,
    names: passthrough.includes(backend.namespace) ? 'own' : 'namespaced',
  }));
}
