import { createServer } from 'mcpx';

const notes = new Map([['today', 'Water the plants.']]);

const server = createServer({
  name: 'notes',
  version: '1.0.0',
  instructions: 'Read a note before you change it.',
});

server.tool(
  {
    name: 'write_note',
    description: 'Writes a note, or a new text over an old one.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, text: { type: 'string' } },
      required: ['name', 'text'],
    },
    outputSchema: {
      type: 'object',
      properties: { length: { type: 'integer' } },
      required: ['length'],
    },
  },
  ({ name, text }) => {
    notes.set(String(name), String(text));
    server.resourceUpdated(`note://${String(name)}`);
    return { structuredContent: { length: String(text).length } };
  },
);

server.resourceTemplate(
  { uriTemplate: 'note://{name}', name: 'note', mimeType: 'text/plain' },
  (_uri, { name = '' }) => notes.get(name),
);

server.prompt(
  { name: 'review', description: 'Goes over a note.', arguments: [{ name: 'name' }] },
  ({ name = 'today' }) => `Is this still true? ${notes.get(name) ?? 'There is no such note.'}`,
);

await server.stdio();
