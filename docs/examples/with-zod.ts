import { createServer } from 'mcpx';
import { z } from 'zod';

const METRES = { m: 1, km: 1000, mile: 1609.344 };

const unit = z.enum(['m', 'km', 'mile']);

const server = createServer({ name: 'units', version: '1.0.0' });

server.tool(
  {
    name: 'convert',
    description: 'Converts a length.',
    inputSchema: z.object({
      length: z.number().nonnegative(),
      from: unit,
      to: unit.default('m').describe('Metres unless given'),
    }),
    outputSchema: z.object({ length: z.number(), unit }),
  },
  // The arguments have the types of the schema, and its defaults.
  ({ length, from, to }) => ({
    structuredContent: { length: (length * METRES[from]) / METRES[to], unit: to },
  }),
);

await server.stdio();
