/** A type as a person reads it. */
import type { TypeNode } from '../model.js';

export function typeText(node: TypeNode): string {
  switch (node.kind) {
    case 'ref':
      return node.name;
    case 'literal':
      return JSON.stringify(node.value);
    case 'string':
      return node.format === undefined ? 'string' : `string (${node.format})`;
    case 'number':
    case 'integer':
      return node.kind + bounds(node);
    case 'array':
      return arrayText(node.items) + limits(node);
    case 'object':
      return objectText(node);
    case 'union':
      return node.members.map(typeText).join(' | ');
    case 'intersection':
      return node.members.map(typeText).join(' & ');
    default:
      return node.kind;
  }
}

function arrayText(items: TypeNode): string {
  const text = typeText(items);
  return items.kind === 'union' || items.kind === 'intersection' ? `(${text})[]` : `${text}[]`;
}

function objectText({ properties, index }: TypeNode & { kind: 'object' }): string {
  const names = Object.keys(properties);
  if (names.length > 0) return `{ ${names.join(', ')} }`;
  return index === undefined || index.kind === 'any' ? 'object' : `map of ${typeText(index)}`;
}

function bounds({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  if (minimum === undefined && maximum === undefined) return '';
  return ` (${minimum ?? ''}…${maximum ?? ''})`;
}

function limits({ minItems, maxItems }: { minItems?: number; maxItems?: number }): string {
  if (minItems === undefined && maxItems === undefined) return '';
  return ` (${minItems ?? 0}…${maxItems ?? ''} items)`;
}
