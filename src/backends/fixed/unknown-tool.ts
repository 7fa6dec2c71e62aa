/** For a model that has a name not quite right: what it may have meant. */
import type { ToolEntry } from '../directory.js';

const MOST = 5;

export function unknownTool(name: string, tools: readonly ToolEntry[]): Error {
  const wanted = name.toLowerCase();
  const near = tools
    .map(({ tool }) => tool.name)
    .filter((known) => known.toLowerCase().endsWith(wanted) || wanted.endsWith(known.toLowerCase()))
    .slice(0, MOST);
  const hint = near.length === 0 ? 'mcpx_search_tools finds tools' : `there is ${near.join(', ')}`;
  return new Error(`There is no tool "${name}"; ${hint}`);
}
