/** Which revisions mcpx speaks, and which methods each of them has. */
import { METHODS } from '../../generated/methods.js';
import { EXTENSIONS, NEWEST, REVISIONS } from '../../generated/revisions.js';
import { NO_INPUT, TEXT, listOf, objectOf, type Operation } from './operation.js';

const METHOD = objectOf(
  {
    method: TEXT,
    kind: { enum: ['request', 'notification', 'inputRequest'] },
    senders: listOf({ enum: ['client', 'server'] }),
  },
  { extension: { ...TEXT, description: 'The extension that defines it' } },
);

const BODY = {
  newest: NEWEST,
  revisions: REVISIONS.map(({ revision, era, title }) => ({
    revision,
    era,
    title,
    methods: Object.entries(METHODS[revision]).map(([method, { kind, senders, extension }]) => ({
      method,
      kind,
      senders,
      ...(extension !== undefined && { extension }),
    })),
  })),
  extensions: Object.values(EXTENSIONS).map(({ id, standsOn, title }) => ({
    id,
    revision: standsOn,
    title,
  })),
};

export const protocol: readonly Operation[] = [
  {
    id: 'get_protocol',
    method: 'GET',
    path: '/protocol',
    summary: 'The revisions that are served, and their methods',
    input: NO_INPUT,
    output: objectOf({
      newest: TEXT,
      revisions: listOf(
        objectOf({
          revision: TEXT,
          era: { enum: ['legacy', 'modern'] },
          title: TEXT,
          methods: listOf(METHOD),
        }),
      ),
      extensions: listOf(objectOf({ id: TEXT, revision: TEXT, title: TEXT })),
    }),
    run: () => ({ body: BODY }),
  },
];
