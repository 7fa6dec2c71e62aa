/** What an upstream has, as far as it has said so: it stays while the upstream is away. */
import { FACTS } from '../../../generated/facts.js';
import type { ServerCapabilities } from '../../../generated/newest/types.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { CAPABILITY_OF, type Listing, type Tool } from '../backend.js';
import type { ToolFinding } from './ingest/tools.js';
import { NO_LISTS, fetchList, type FetchOptions, type Lists } from './lists.js';
import type { Session } from './session.js';
import type { UpstreamTarget } from './target.js';

export interface OfferOptions {
  readonly namespace: string;
  readonly target: UpstreamTarget;
  /** For each request, in milliseconds. */
  readonly timeout: number;
  readonly diagnostics: Diagnostics;
}

export class Offer {
  #lists: Lists = NO_LISTS;
  /** By the upstream's own names. */
  #tools: ReadonlyMap<string, Tool> = new Map();
  /** Of the tools that are listed just now, and of those that could not be. */
  #findings: readonly ToolFinding[] = [];

  constructor(private readonly options: OfferOptions) {}

  get lists(): Lists {
    return this.#lists;
  }

  /** What was done to its tools before anybody else saw them. */
  get findings(): readonly ToolFinding[] {
    return this.#findings;
  }

  tool(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Asks for those of the lists that the upstream has. One that cannot be had stays what it was. */
  async fetch(
    session: Session,
    lists: readonly Listing[],
    capabilities: ServerCapabilities,
  ): Promise<void> {
    const offered = lists.filter((list) => capabilities[CAPABILITY_OF[list]] !== undefined);
    const fetched = await Promise.all(offered.map((list) => this.#fetched(session, list)));
    this.#lists = Object.assign({}, this.#lists, ...fetched) as Lists;
    // Of two of a name the first counts.
    this.#tools = new Map(this.#lists.tools.toReversed().map((tool) => [tool.name, tool]));
  }

  async #fetched(session: Session, list: Listing): Promise<Partial<Lists>> {
    const findings: ToolFinding[] = [];
    try {
      const items = await fetchList(session, list, this.#fetching(session, findings));
      if (list === 'tools') this.#findings = findings;
      return { [list]: items };
    } catch (error) {
      const { diagnostics, namespace } = this.options;
      diagnostics.note('upstream-list-failed', { namespace, list, err: error });
      return {};
    }
  }

  #fetching({ revision }: Session, findings: ToolFinding[]): FetchOptions {
    const { target, timeout, diagnostics } = this.options;
    return {
      timeout,
      diagnostics,
      mirrorsHeaders: target.kind === 'http' && FACTS[revision].mirroredHeaders,
      found: (finding) => void findings.push(finding),
    };
  }
}
