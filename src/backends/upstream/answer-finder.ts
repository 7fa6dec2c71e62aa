/**
 * Which requests a message answers that is too long to be kept: it is looked at while it passes, in
 * pieces that may be cut anywhere. Whoever waits for the answer is told at once, and nobody else is.
 */

/** Of what is on the top level only keys and ids count, and they are short. */
const LONGEST_TOKEN = 20;
const NUMERAL = /[0-9.-]/;

/** Where something may change, below the top level: most of a long message is passed over at once. */
const IN_TEXT = /["\\]/g;
const IN_STRUCTURE = /["{}[\]]/g;

export class AnswerFinder {
  /** Of the members of a message: 1, and 2 where several come as an array. */
  #level = 1;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The text that was read last on the level, or the number that is being read. */
  #token = '';
  #key: string | undefined;
  #id: number | undefined;
  #isAnswer = false;
  #done = false;

  /** `found` hears of the id of each answer, as soon as it is sure. Ids of ours are integers. */
  constructor(private readonly found: (id: number) => void) {}

  /** What stands around the JSON on an event stream does no harm. */
  push(text: string): void {
    for (let at = this.#next(text, 0); at >= 0; at = this.#next(text, at + 1)) {
      const char = text.charAt(at);
      if (this.#inText) this.#text(char);
      else this.#structure(char);
      if (this.#done) return;
    }
  }

  /** The place of the next character that matters; negative: there is none. */
  #next(text: string, from: number): number {
    if (this.#done || from >= text.length) return -1;
    if (this.#depth <= this.#level || this.#escaped) return from;
    const pattern = this.#inText ? IN_TEXT : IN_STRUCTURE;
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? -1;
  }

  #text(char: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (char === '\\') this.#escaped = true;
    else if (char === '"') this.#inText = false;
    else this.#keep(char);
  }

  #structure(char: string): void {
    switch (char) {
      case '"':
        this.#inText = this.#depth > 0;
        this.#token = '';
        return;
      case '[':
      case '{':
        if (this.#depth === 0) this.#level = char === '[' ? 2 : 1;
        this.#depth++;
        if (this.#depth === this.#level) this.#begin();
        return;
      case ']':
      case '}':
        if (this.#depth === this.#level) this.#valueEnds();
        this.#depth--;
        return;
      case ':':
        if (this.#depth === this.#level && this.#key === undefined && this.#token !== '')
          this.#keyed();
        return;
      case ',':
        if (this.#depth === this.#level) this.#valueEnds();
        return;
      default:
        if (NUMERAL.test(char)) this.#keep(char);
    }
  }

  #begin(): void {
    this.#token = '';
    this.#key = undefined;
    this.#id = undefined;
    this.#isAnswer = false;
  }

  #keyed(): void {
    this.#key = this.#token;
    this.#token = '';
    if (this.#key !== 'result' && this.#key !== 'error') return;
    this.#isAnswer = true;
    this.#tell();
  }

  #valueEnds(): void {
    if (this.#key === 'id' && /^-?\d+$/.test(this.#token)) {
      this.#id = Number(this.#token);
      this.#tell();
    }
    this.#key = undefined;
    this.#token = '';
  }

  #tell(): void {
    if (!this.#isAnswer || this.#id === undefined) return;
    this.found(this.#id);
    this.#id = undefined;
    this.#done = this.#level === 1;
  }

  #keep(char: string): void {
    if (this.#depth === this.#level && this.#token.length < LONGEST_TOKEN) this.#token += char;
  }
}
