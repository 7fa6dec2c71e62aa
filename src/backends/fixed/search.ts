/** Finds tools by words. */
import type { ToolEntry } from '../directory.js';

/** What a word is worth where it occurs; each is worth what it is worth at the best of its places. */
const WORTH = { wholeName: 8, name: 4, title: 2, description: 1 };

/** Those in which every word of the query occurs, the best first, others in the order given. */
export function searchTools(tools: readonly ToolEntry[], query: string): ToolEntry[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return tools
    .map((entry) => ({ entry, worth: worthOf(entry, words) }))
    .filter(({ worth }) => worth !== undefined)
    .sort((a, b) => (b.worth ?? 0) - (a.worth ?? 0))
    .map(({ entry }) => entry);
}

/** Undefined where a word is missing. */
function worthOf({ tool }: ToolEntry, words: readonly string[]): number | undefined {
  const name = tool.name.toLowerCase();
  const parts = tool.name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const title = tool.title?.toLowerCase() ?? '';
  const description = tool.description?.toLowerCase() ?? '';
  let worth = 0;
  for (const word of words) {
    if (parts.includes(word)) worth += WORTH.wholeName;
    else if (name.includes(word)) worth += WORTH.name;
    else if (title.includes(word)) worth += WORTH.title;
    else if (description.includes(word)) worth += WORTH.description;
    else return undefined;
  }
  return worth;
}
