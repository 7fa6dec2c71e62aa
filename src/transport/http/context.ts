/** What everything that serves a request over HTTP shares. */
import type { Core } from '../../server/contract.js';
import type { InFlight } from './in-flight.js';
import type { Sessions } from './sessions.js';
import type { HttpSettings } from './settings.js';

export interface HttpContext {
  readonly core: Core;
  readonly settings: HttpSettings;
  readonly sessions: Sessions;
  readonly inFlight: InFlight;
}
