/**
 * Two places where the official JSON Schema says less than its own TypeScript, and would refuse what
 * the TypeScript allows. The TypeScript wins at run time; parity is proven without these overrides.
 */
import type { Model, TypeNode } from './model.js';

export const OVERRIDES = [
  {
    definition: 'ElicitResult',
    path: 'content.*',
    reason:
      'TypeScript says number, the official JSON Schema integer: an answer of 1.5 to a number field would be refused',
  },
  {
    definition: 'JSONValue',
    path: '',
    reason:
      'TypeScript says number and null, the official JSON Schema knows neither fractions nor null',
  },
] as const;

/** The model with the overrides applied; the model itself where it has neither definition. */
export function applyOverrides(model: Model): Model {
  const definitions = { ...model.definitions };
  for (const { definition: name, path } of OVERRIDES) {
    const definition = definitions[name];
    if (!definition) continue;
    definitions[name] = {
      ...definition,
      type: widen(definition.type, path.split('.').filter(Boolean)),
    };
  }
  return { ...model, definitions };
}

/** Integers at `path` (`*` is an index signature) become numbers. */
function widen(node: TypeNode, path: string[]): TypeNode {
  const [step, ...rest] = path;
  if (step !== undefined) {
    if (node.kind !== 'object')
      throw new Error(`override path ${path.join('.')} leads into ${node.kind}`);
    if (step === '*') {
      if (!node.index) throw new Error('override path names an index signature that is not there');
      return { ...node, index: widen(node.index, rest) };
    }
    const property = node.properties[step];
    if (!property) throw new Error(`override path names ${step}, which is not there`);
    return {
      ...node,
      properties: { ...node.properties, [step]: { ...property, type: widen(property.type, rest) } },
    };
  }
  if (node.kind === 'integer') return { ...node, kind: 'number' };
  if (node.kind === 'union') return { ...node, members: node.members.map((m) => widen(m, [])) };
  return node;
}
