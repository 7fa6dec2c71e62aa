/** A tool whose handler waits until the test lets it go on. */
import type { McpServer, RequestContext } from '../../src/index.js';

export class Gate {
  /** Resolves with the context of each call, one after the other. */
  entered: Promise<RequestContext>;
  /** Resolves when a call is cancelled. */
  readonly aborted: Promise<void>;
  #enter!: (ctx: RequestContext) => void;
  #abort!: () => void;
  #release: (text: string) => void = () => undefined;

  constructor(server: McpServer, name = 'gate') {
    this.entered = this.#next();
    this.aborted = new Promise((resolve) => (this.#abort = resolve));
    server.tool({ name }, async (_args, ctx) => {
      const text = new Promise<string>((resolve, reject) => {
        this.#release = resolve;
        ctx.signal.addEventListener('abort', () => {
          this.#abort();
          reject(ctx.signal.reason as Error);
        });
      });
      const enter = this.#enter;
      this.entered = this.#next();
      enter(ctx);
      return text;
    });
  }

  #next(): Promise<RequestContext> {
    return new Promise((resolve) => (this.#enter = resolve));
  }

  /** The call that came last answers with the text. */
  release(text: string): void {
    this.#release(text);
  }
}
