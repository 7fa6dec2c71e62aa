/**
 * Lets the official suite start on Node 20. It imports `globSync` from `fs`, which Node has since 22,
 * for one command that is not run here; nothing works without the name. Given to node with `--import`;
 * on a Node that has the name, this does nothing.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const SUITE = '/node_modules/@modelcontextprotocol/conformance/';

const FS_WITH_GLOB_SYNC = `
export * from 'node:fs';
export function globSync() {
  throw new Error('globSync needs Node 22 or newer');
}`;

// The hooks run in a thread of their own, which loads this same file.
if (isMainThread && !('globSync' in fs)) register(import.meta.url);

export function resolve(specifier, context, next) {
  const bySuite = context.parentURL?.includes(SUITE) === true;
  if (specifier !== 'fs' || !bySuite) return next(specifier, context);
  const url = `data:text/javascript,${encodeURIComponent(FS_WITH_GLOB_SYNC)}`;
  return { url, format: 'module', shortCircuit: true };
}
