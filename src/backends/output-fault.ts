/** Whether a backend keeps what the `outputSchema` of its tool promises. */
import { UnusableSchema, schemaFault } from './json-schema.js';

/** What is wrong with the `structuredContent`, in words; undefined if nothing is. */
export function outputFault(schema: object, structuredContent: unknown): string | undefined {
  if (structuredContent === undefined) return 'it is no JSON';
  try {
    return schemaFault(schema, structuredContent);
  } catch (error) {
    if (error instanceof UnusableSchema) return `the schema cannot be used: ${error.message}`;
    throw error;
  }
}
