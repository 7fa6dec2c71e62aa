/** Which tools of an upstream are offered, and under which names. */
import type { Tool } from '../backend.js';

export interface ToolSelection {
  /** Names, `*` for any characters. Absent: all that are not denied. */
  readonly allow?: readonly string[];
  /** The same; stronger than `allow`. */
  readonly deny?: readonly string[];
  /** From the upstream's name to the one that is offered. */
  readonly rename?: Readonly<Record<string, string>>;
}

export class Selection {
  readonly #allowed: RegExp | undefined;
  readonly #denied: RegExp | undefined;
  readonly #renamed: ReadonlyMap<string, string>;

  constructor({ allow, deny, rename = {} }: ToolSelection) {
    this.#allowed = allow && matching(allow);
    this.#denied = deny && matching(deny);
    this.#renamed = new Map(Object.entries(rename));
  }

  /** A tool that is given the name of another takes its place: that one cannot be called any more. */
  offered(tools: readonly Tool[]): readonly Tool[] {
    const chosen = tools.filter(({ name }) => this.#has(name));
    if (this.#renamed.size === 0) return chosen;
    const taken = new Set(chosen.flatMap(({ name }) => this.#renamed.get(name) ?? []));
    return chosen.flatMap((tool) => {
      const name = this.#renamed.get(tool.name);
      if (name !== undefined) return { ...tool, name };
      return taken.has(tool.name) ? [] : tool;
    });
  }

  /** The upstream's name of a tool that is offered under this one. */
  original(name: string): string {
    for (const [from, to] of this.#renamed) if (to === name) return from;
    return name;
  }

  #has(name: string): boolean {
    return (this.#allowed?.test(name) ?? true) && this.#denied?.test(name) !== true;
  }
}

function matching(names: readonly string[]): RegExp {
  const patterns = names.map((name) => name.split('*').map(literally).join('.*'));
  return new RegExp(`^(?:${patterns.join('|') || '(?!)'})$`, 's');
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
