/** An OpenAPI document, the service it describes, and a client of mcpx in front of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { OpenApiBackend } from '../../src/backends/openapi/backend.js';
import type { OpenApiTarget } from '../../src/backends/openapi/options.js';
import type { ImportReport } from '../../src/backends/openapi/report.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { clientOf, type BackendClient } from './backend-client.js';
import { recordingServer, type Answer, type RecordingServer } from './recording-server.js';

/** A document around paths; `more` is merged into its root. */
export function documentOf(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'test', version: '1' }, paths, ...more };
}

/** One operation, `op`, at a path. */
export function operationAt(
  path: string,
  operation: object,
  method = 'get',
  more: object = {},
): object {
  const whole = { operationId: 'op', responses: { 200: { description: 'ok' } }, ...operation };
  return documentOf({ [path]: { [method]: whole } }, more);
}

/** A file that holds the text, or the value as JSON. */
export async function documentFile(content: unknown, name = 'openapi.json'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

export interface Imported {
  readonly backend: OpenApiBackend;
  readonly report: ImportReport;
  readonly diagnostics: Diagnostics;
}

/** The document imported, with no service behind it. */
export async function imported(
  document: unknown,
  target: Partial<OpenApiTarget> = {},
): Promise<Imported> {
  const diagnostics = new Diagnostics();
  const backend = new OpenApiBackend({
    namespace: 'api',
    target: {
      document: await documentFile(document),
      baseUrl: 'http://127.0.0.1:9/',
      ...target,
    },
    diagnostics,
  });
  onTestFinished(() => backend.close());
  await backend.start();
  if (backend.report === undefined) throw new Error('there is no report');
  return { backend, report: backend.report, diagnostics };
}

export interface Api extends BackendClient {
  readonly service: RecordingServer;
  readonly backend: OpenApiBackend;
  readonly diagnostics: Diagnostics;
}

export async function serveApi(
  document: unknown,
  {
    answer,
    target = {},
    revision,
  }: { answer?: Answer; target?: Partial<OpenApiTarget>; revision?: string } = {},
): Promise<Api> {
  const service = await recordingServer(answer);
  const diagnostics = new Diagnostics();
  const backend = new OpenApiBackend({
    namespace: 'api',
    target: { document: await documentFile(document), baseUrl: service.url, ...target },
    diagnostics,
  });
  const client = await clientOf(backend, revision);
  return Object.assign(client, { service, backend, diagnostics });
}
