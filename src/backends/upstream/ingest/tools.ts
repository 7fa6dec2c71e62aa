/** The tools of an upstream as its list has them, to tools that every client can be given. */
import type { Tool } from '../../backend.js';
import { isObject } from '../../../protocol/jsonrpc.js';
import { annotationFault, withoutAnnotations } from './header-annotations.js';
import { Unrepairable, repairInputSchema, repairSchema, type Repaired } from './schema-repair.js';

/** Something on the list that did not go on as it came. */
export interface ToolFinding {
  readonly tool: string;
  readonly kind: 'translated' | 'repaired' | 'schema-dropped' | 'isolated';
  /** JSON pointer into the tool. */
  readonly pointer: string;
  readonly what: string;
}

export interface Ingested {
  /** Undefined: nobody can be given it. */
  readonly tool: Tool | undefined;
  readonly findings: readonly ToolFinding[];
}

export interface IngestOptions {
  /** Arguments travel as headers, too: an annotation that cannot be kept makes the tool unusable. */
  readonly mirrorsHeaders: boolean;
}

/** `entry`: one of the list, of any shape. It is not edited. */
export function ingestTool(entry: unknown, { mirrorsHeaders }: IngestOptions): Ingested {
  const name = isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : '';
  const findings: ToolFinding[] = [];
  const note = (kind: ToolFinding['kind'], pointer: string, what: string): void =>
    void findings.push({ tool: name, kind, pointer, what });
  const repaired = (field: string, { repairs }: Repaired): void => {
    for (const { pointer, what, translated } of repairs) {
      note(translated === true ? 'translated' : 'repaired', `/${field}${pointer}`, what);
    }
  };

  if (!isObject(entry)) {
    note('isolated', '', `it is ${JSON.stringify(entry)}, no tool`);
    return { tool: undefined, findings };
  }
  let input: Repaired;
  try {
    input = repairInputSchema(entry['inputSchema']);
  } catch (error) {
    note('isolated', '/inputSchema', reasonOf(error));
    return { tool: undefined, findings };
  }
  repaired('inputSchema', input);
  let { schema } = input;
  const fault = annotationFault(schema);
  if (fault !== undefined && mirrorsHeaders) {
    note('isolated', '/inputSchema', fault);
    return { tool: undefined, findings };
  }
  if (fault !== undefined) {
    schema = withoutAnnotations(schema);
    note('repaired', '/inputSchema', `x-mcp-header was left out: ${fault}`);
  }

  let tool: Record<string, unknown> =
    schema === entry['inputSchema'] ? entry : { ...entry, inputSchema: schema };
  if (entry['outputSchema'] !== undefined) {
    try {
      const output = repairSchema(entry['outputSchema']);
      repaired('outputSchema', output);
      if (output.repairs.length > 0) tool = { ...tool, outputSchema: output.schema };
    } catch (error) {
      const { outputSchema: _unusable, ...rest } = tool;
      tool = rest;
      note('schema-dropped', '/outputSchema', reasonOf(error));
    }
  }
  return { tool: tool as unknown as Tool, findings };
}

function reasonOf(error: unknown): string {
  if (error instanceof Unrepairable) return error.message;
  throw error;
}
