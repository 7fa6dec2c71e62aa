/** stdio clients and legacy HTTP sessions: whoever can be told something unasked. */
import type { Diagnostics } from '../protocol/diagnostics.js';
import type { Hub } from '../subscriptions/hub.js';
import { ClientConnection } from './connection.js';
import type { Connecting } from './contract.js';

export class Connections {
  readonly #all = new Set<ClientConnection>();

  constructor(
    private readonly hub: Hub,
    private readonly diagnostics: Diagnostics,
    /** Called for each that is closed. */
    private readonly closed: (connection: ClientConnection) => void,
  ) {}

  get size(): number {
    return this.#all.size;
  }

  open(connecting: Connecting): ClientConnection {
    const connection = new ClientConnection(connecting, this.hub, this.diagnostics, () => {
      this.#all.delete(connection);
      this.closed(connection);
    });
    this.#all.add(connection);
    return connection;
  }

  /** To the session that is the caller, where it is one. */
  deliver(caller: string, method: string, params?: object): void {
    for (const connection of this.#all) {
      if (connection.caller === caller) connection.deliver(method, params);
    }
  }

  /** Each knows which elicitations are its own. */
  elicitationComplete(elicitationId: string): void {
    for (const connection of this.#all) connection.elicitationComplete(elicitationId);
  }

  close(): void {
    for (const connection of [...this.#all]) connection.close();
  }
}
