/**
 * Bytes to lines, wherever the chunks are cut: in the middle of a character, between CR and LF. A
 * line is kept as bytes until it is whole, so that no character is ever decoded by halves.
 */
import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;

export interface LineSink {
  /** Never empty. */
  line(text: string): void;
  /** The line is longer than the limit; all of it is skipped. */
  overlong(): void;
  /** A piece of such a line, from its start on. */
  skipped?(piece: Buffer): void;
  /** The line is not UTF-8. */
  undecodable(): void;
}

/** Some editors and shells put one at the start of a stream. */
const BYTE_ORDER_MARK = '\ufeff';

export class LineReader {
  #atStart = true;
  #parts: Buffer[] = [];
  #length = 0;
  #skipping = false;

  constructor(
    private readonly sink: LineSink,
    private readonly maxLine: number,
  ) {}

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      this.#take(chunk.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
  }

  /** At the end of input a last line needs no line feed. */
  end(): void {
    this.#finish();
  }

  #take(part: Buffer): void {
    if (this.#skipping) {
      this.sink.skipped?.(part);
      return;
    }
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= this.maxLine) return;
    const pieces = this.#parts;
    this.#parts = [];
    this.#skipping = true;
    this.sink.overlong();
    for (const piece of pieces) this.sink.skipped?.(piece);
  }

  #finish(): void {
    const [first] = this.#parts;
    const line =
      first === undefined || this.#parts.length === 1
        ? first
        : Buffer.concat(this.#parts, this.#length);
    if (this.#parts.length > 0) this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    if (line === undefined) return;
    const end = line[line.length - 1] === CR ? line.length - 1 : line.length;
    if (end === 0) return;
    if (!isUtf8(line)) {
      this.sink.undecodable();
      return;
    }
    const text = line.toString('utf8', 0, end);
    this.sink.line(this.#atStart && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    this.#atStart = false;
  }
}
