/**
 * Which revision to speak with an upstream: the modern probe first, the legacy handshake where the
 * answer is anything but modern (2026-07-28, basic/versioning). Nothing is read into one error code:
 * legacy servers answer the probe with whatever occurs to them, or not at all.
 */
import {
  NEWEST,
  NEWEST_LEGACY,
  REVISIONS,
  eraOf,
  type Era,
  type Revision,
} from '../../../generated/revisions.js';
import type { Implementation, ServerCapabilities } from '../../../generated/newest/types.js';
import type { ErrorObject } from '../../edge/contract.js';
import { SERVER_INFO_KEY } from '../../edge/envelope.js';
import { ERROR_KINDS } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { ANYTHING } from './asking.js';
import { TransportFailure } from './channel.js';
import type { Session } from './session.js';

export interface Agreement {
  readonly revision: Revision;
  readonly capabilities: ServerCapabilities;
  readonly info?: Implementation;
  readonly instructions?: string;
}

export interface NegotiateOptions {
  readonly clientInfo: Implementation;
  /** What the upstream turned out to be before: a legacy one is not probed again. */
  readonly knownEra: Era | undefined;
  /** How long the probe may go unanswered before the handshake is tried beside it, in milliseconds. */
  readonly probeTimeout: number;
}

/** Leaves the session in the agreed revision. Rejects with what the upstream said to the last attempt. */
export async function negotiate(session: Session, options: NegotiateOptions): Promise<Agreement> {
  const agreed = await agree(session, options);
  const { revision } = agreed;
  session.speak(revision, true);
  if (eraOf(revision) === 'legacy') await session.notify('notifications/initialized');
  session.ready();
  return agreed;
}

async function agree(session: Session, options: NegotiateOptions): Promise<Agreement> {
  if (options.knownEra === 'legacy') return handshake(session, options);
  const probe = discover(session, NEWEST);
  const outcome = await Promise.race([settled(probe), silence(options.probeTimeout)]);
  if (outcome === 'silence') {
    // A modern server that is slow to start answers the probe in the end, and not the handshake.
    return either(handshake(session, options), probe);
  }
  if ('value' in outcome) return outcome.value;
  const { error } = outcome;
  if (error instanceof NotModern) return handshake(session, options);
  if (error instanceof TransportFailure && looksLegacy(error)) return handshake(session, options);
  if (!(error instanceof Refused)) throw error;
  const offered = newestOf(error.supported, 'modern');
  // Also where it is the one that was refused: whatever it misses, it may be content the second time.
  if (offered !== undefined) return discover(session, offered);
  if (error.isModern && newestOf(error.supported, 'legacy') === undefined) throw error;
  return handshake(session, options);
}

/** The upstream's answer to an attempt, with the code it gave. */
class Refused extends Error {
  readonly supported: unknown;
  readonly isModern: boolean;

  constructor(method: string, { code, message, data }: ErrorObject) {
    super(`answered ${method} with ${code}: ${message}`);
    this.isModern = MODERN_CODES.has(code);
    this.supported = this.isModern && isObject(data) ? data['supported'] : undefined;
  }
}

const MODERN_CODES: ReadonlySet<number> = new Set([
  ERROR_KINDS.headerMismatch.modern,
  ERROR_KINDS.missingCapability.modern,
  ERROR_KINDS.unsupportedVersion.modern,
]);

/** A result that no modern server gives, or one that offers nothing but the other era. */
class NotModern extends Error {}

async function discover(session: Session, revision: Revision): Promise<Agreement> {
  session.speak(revision, false);
  const lift = (error: ErrorObject): Error => new Refused('server/discover', error);
  const result = await session.request('server/discover', {}, { lift });
  const { supportedVersions: supported, _meta: meta } = result;
  const chosen = newestOf(supported, 'modern');
  if (chosen !== undefined) {
    return agreement(chosen, result, isObject(meta) ? meta[SERVER_INFO_KEY] : undefined);
  }
  if (!Array.isArray(supported) || newestOf(supported, 'legacy') !== undefined) {
    throw new NotModern('server/discover names no modern version');
  }
  throw new Error(`supports ${supported.join(', ')}; mcpx speaks ${speaks('modern')}`);
}

async function handshake(session: Session, { clientInfo }: NegotiateOptions): Promise<Agreement> {
  session.speak(NEWEST_LEGACY, false);
  const params = { protocolVersion: NEWEST_LEGACY, capabilities: ANYTHING, clientInfo };
  const lift = (error: ErrorObject): Error => new Refused('initialize', error);
  const result = await session.request('initialize', params, { lift });
  const version = result['protocolVersion'];
  const chosen = newestOf([version], 'legacy');
  if (chosen !== undefined) return agreement(chosen, result, result['serverInfo']);
  const given = typeof version === 'string' ? version : 'no version';
  throw new Error(`chose ${given} in the handshake; mcpx speaks ${speaks('legacy')}`);
}

function agreement(
  revision: Revision,
  { capabilities, instructions }: Record<string, unknown>,
  info: unknown,
): Agreement {
  return {
    revision,
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(isObject(info) ? { info: info as unknown as Implementation } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

/**
 * Of an HTTP endpoint: it is there and lets us in, but does not know what to do with the probe. What it
 * says then is as good as anything: some fail with 500, some take it for a notification.
 */
function looksLegacy({ status }: TransportFailure): boolean {
  return status !== undefined && status !== 401 && status !== 403;
}

function newestOf(versions: unknown, era: Era): Revision | undefined {
  if (!Array.isArray(versions)) return undefined;
  return revisionsOf(era).findLast((revision) => versions.includes(revision));
}

function speaks(era: Era): string {
  return revisionsOf(era).join(', ');
}

function revisionsOf(era: Era): Revision[] {
  return REVISIONS.filter((one) => one.era === era).map(({ revision }) => revision);
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

async function silence(ms: number): Promise<'silence'> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  return 'silence';
}

/** Whichever succeeds; the first one's error where neither does. */
async function either<T>(first: Promise<T>, second: Promise<T>): Promise<T> {
  try {
    return await Promise.any([first, second]);
  } catch {
    return first;
  }
}
