/**
 * The other end, with what holds for the request in hand. In the legacy era a peer lives as long as
 * its session; in the modern era every request brings its own.
 */
import type { Era, Revision } from '../../generated/revisions.js';
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
} from '../../generated/newest/types.js';

export interface Peer {
  readonly revision: Revision;
  readonly era: Era;
  readonly capabilities: ClientCapabilities;
  readonly info?: Implementation;
  /** Least severe level the peer wants for this request; absent: no `notifications/message` at all. */
  readonly logLevel?: LoggingLevel;
  /** Authenticated identity, where the transport knows one. */
  readonly principal?: string;
}
