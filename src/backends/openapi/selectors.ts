/** `include` and `exclude`: which operations of a large document become tools. */
import type { OpenApiTarget, Selector } from './options.js';

export interface Selectable {
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly path: string;
  readonly method: string;
}

export function isSelected(
  operation: Selectable,
  { include, exclude }: Pick<OpenApiTarget, 'include' | 'exclude'>,
): boolean {
  const wanted = include === undefined || include.some((one) => selects(one, operation));
  return wanted && exclude?.some((one) => selects(one, operation)) !== true;
}

function selects({ operationId, tag, path, method }: Selector, operation: Selectable): boolean {
  return (
    (operationId === undefined || matches(operationId, operation.operationId ?? '')) &&
    (tag === undefined || operation.tags.some((one) => matches(tag, one))) &&
    (path === undefined || matches(path, operation.path)) &&
    (method === undefined || matches(method.toUpperCase(), operation.method))
  );
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
