/** `{name}` in a text stands for an argument; `{{` and `}}` are the braces themselves. */

type Piece = { readonly text: string } | { readonly name: string };

export class Template {
  readonly #pieces: readonly Piece[];

  /** Throws an `Error` for a brace that neither opens a placeholder nor is doubled. */
  constructor(readonly source: string) {
    this.#pieces = piecesOf(source);
  }

  get names(): string[] {
    return this.#pieces.flatMap((piece) => ('name' in piece ? [piece.name] : []));
  }

  /** The placeholder that is all of it. */
  get only(): string | undefined {
    const [first, second] = this.#pieces;
    return second === undefined && first !== undefined && 'name' in first ? first.name : undefined;
  }

  /** Whether a placeholder comes before everything else. */
  get startsOpen(): boolean {
    const [first] = this.#pieces;
    return first !== undefined && 'name' in first;
  }

  /** Undefined where `valueOf` gives nothing for one of its placeholders. */
  fill(valueOf: (name: string) => string | undefined): string | undefined {
    let filled = '';
    for (const piece of this.#pieces) {
      const part = 'name' in piece ? valueOf(piece.name) : piece.text;
      if (part === undefined) return undefined;
      filled += part;
    }
    return filled;
  }
}

const TOKEN = /\{\{|\}\}|\{([^{}]+)\}|[{}]|[^{}]+/g;

function piecesOf(source: string): Piece[] {
  return Array.from(source.matchAll(TOKEN), ([token, name]): Piece => {
    if (name !== undefined) return { name };
    if (token === '{{' || token === '}}') return { text: token.charAt(0) };
    if (token !== '{' && token !== '}') return { text: token };
    throw new Error(
      `${JSON.stringify(source)} has a single "${token}"; write it twice, or as {name}`,
    );
  });
}
