/** What would happen if a configuration were served: everything is started once, asked, and ended. */
import { eraOf, type Era, type Revision } from '../../../generated/revisions.js';
import type { Implementation, ServerCapabilities } from '../../../generated/newest/types.js';
import { LISTINGS, type Listing } from '../../backends/backend.js';
import { OpenApiBackend } from '../../backends/openapi/backend.js';
import type { ImportReport } from '../../backends/openapi/report.js';
import { UpstreamBackend } from '../../backends/upstream/backend.js';
import type { ToolFinding } from '../../backends/upstream/ingest/tools.js';
import { Catalog } from '../../server/catalog/catalog.js';
import type { Mount } from '../../server/contract.js';
import { declaredMounts } from '../declared-mounts.js';
import { upstreamMounts, wayFile, type GatewayOptions, type Surroundings } from '../gateway.js';
import { version } from '../version.js';
import { NoteBook, type Note } from './note-book.js';

export interface CheckedBackend {
  readonly namespace: string;
  readonly up: boolean;
  /** Why it is not up. */
  readonly error?: string;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly era?: Era;
  readonly revision?: Revision;
  readonly info?: Implementation;
  readonly capabilities: ServerCapabilities;
  /** Of each list, how many entries clients get. */
  readonly counts: Readonly<Record<Listing, number>>;
  readonly findings: readonly ToolFinding[];
  /** Everything else that was dropped, repaired or retried on the way. */
  readonly notes: readonly Note[];
  readonly imported?: ImportReport;
}

export interface Checked {
  readonly backends: readonly CheckedBackend[];
  /** Entries that could not have the name or URI that they wanted. */
  readonly collisions: readonly Collision[];
}

export interface Collision {
  readonly list: Listing;
  readonly namespace: string;
  readonly key: string;
}

/** Told as findings, as collisions or as the error. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  ...['upstream-schema-repaired', 'upstream-output-schema-dropped', 'upstream-tool-isolated'],
  ...[
    'upstream-schema-translated',
    'name-collision',
    'uri-collision',
    'backend-failed',
    'upstream-down',
  ],
]);

export async function check(options: GatewayOptions): Promise<Checked> {
  const notes = new NoteBook();
  const surroundings: Surroundings = {
    clientInfo: { name: 'mcpx', version: version() },
    diagnostics: notes,
    broker: { ask: () => Promise.reject(new Error('nobody is there to be asked')) },
    ways: wayFile(notes),
  };
  const mounts = [
    ...upstreamMounts(options, surroundings),
    ...declaredMounts(options, options.passthrough, notes),
  ];
  const catalog = new Catalog(mounts, notes, {
    nameLength: options.settings['mcp.nameLength'],
  });
  try {
    await catalog.start();
    const counts = new Map(mounts.map((mount) => [mount, noEntries()]));
    for (const list of LISTINGS) {
      for (const { mount } of (await catalog.list(list)).entries.values()) {
        const counted = counts.get(mount);
        if (counted !== undefined) counted[list]++;
      }
    }
    return {
      backends: mounts.map((mount) => ({
        ...standing(mount, notes),
        counts: counts.get(mount) ?? noEntries(),
      })),
      collisions: [...notes.of('name-collision'), ...notes.of('uri-collision')].map(
        ({ details }) => details as unknown as Collision,
      ),
    };
  } finally {
    await catalog.close();
  }
}

function noEntries(): Record<Listing, number> {
  return { tools: 0, resources: 0, resourceTemplates: 0, prompts: 0 };
}

function standing({ backend }: Mount, notes: NoteBook): Omit<CheckedBackend, 'counts'> {
  const { namespace, info, capabilities } = backend;
  const failure = notes
    .of('backend-failed')
    .find(({ details }) => details['namespace'] === namespace && details['what'] === 'start');
  const error = failure?.details['err'];
  return {
    namespace,
    up: failure === undefined,
    ...(error instanceof Error && { error: error.message }),
    ...(info !== undefined && { info }),
    capabilities,
    findings: backend instanceof UpstreamBackend ? backend.findings : [],
    notes: notes.about(namespace).filter(({ event }) => !TOLD_OTHERWISE.has(event)),
    ...(backend instanceof UpstreamBackend && reached(backend)),
    ...(backend instanceof OpenApiBackend &&
      backend.report !== undefined && { imported: backend.report }),
  };
}

function reached({
  way,
  status,
  transport,
}: UpstreamBackend): Pick<CheckedBackend, 'transport' | 'era' | 'revision'> {
  const { revision } = status;
  return {
    transport: way === 'sse' ? way : transport,
    ...(revision !== undefined && { revision, era: eraOf(revision) }),
  };
}
