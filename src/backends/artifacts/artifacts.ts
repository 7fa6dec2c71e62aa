/**
 * Parts of tool results that are too large to send inline: kept for the caller, and offered to it as
 * resources. The result has a link in their place.
 */
import type {
  CallToolResult,
  CompleteResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
  Resource,
  ResourceLink,
  ServerCapabilities,
} from '../../../generated/newest/types.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { invalidParams, resourceNotFound } from '../../protocol/errors.js';
import { stringifyJson } from '../../protocol/json.js';
import type { Backend, Bare, Tool } from '../backend.js';
import type { RequestContext } from '../context.js';
import { isLargerThan, isLongerThan, payloadOf } from './measure.js';
import { Shelf, type Artifact, type Payload, type ShelfSettings } from './shelf.js';

export interface ArtifactSettings extends ShelfSettings {
  /** Bytes up to which a content block, or structured content, goes inline. */
  readonly inlineLimit: number;
}

/** Under which the backend is mounted; no upstream can have it. */
export const ARTIFACTS_NAMESPACE = 'artifacts';

const JSON_TYPE = 'application/json';

export class Artifacts implements Backend {
  readonly namespace = ARTIFACTS_NAMESPACE;
  readonly capabilities: ServerCapabilities = { resources: { listChanged: true } };
  readonly #shelf: Shelf;
  #listChanged: (caller: string) => void = () => undefined;

  constructor(
    private readonly settings: ArtifactSettings,
    private readonly diagnostics: Diagnostics,
  ) {
    this.#shelf = new Shelf(settings, diagnostics);
  }

  /**
   * The result with links for what is too large; the result itself where nothing is. `structuredContent`
   * of a tool with an `outputSchema` stays: clients hold the tool to it (server/tools, output schema).
   */
  keep(result: Bare<CallToolResult>, tool: Tool, ctx: RequestContext): Bare<CallToolResult> {
    const { inlineLimit } = this.settings;
    const { content, structuredContent } = result;
    const largeBlocks = content.some((block) => this.#isLarge(block));
    const largeStructure =
      structuredContent !== undefined && isLargerThan(inlineLimit, structuredContent);
    if (!largeBlocks && !largeStructure) return result;
    const keeping = new Keeping(this.#shelf, this.settings.ttl, tool.name, ctx.caller);
    const kept = this.#replaced(result, tool, keeping, largeStructure);
    if (keeping.hasKept) this.#listChanged(ctx.caller);
    return kept;
  }

  #replaced(
    result: Bare<CallToolResult>,
    tool: Tool,
    keeping: Keeping,
    largeStructure: boolean,
  ): Bare<CallToolResult> {
    const { content, structuredContent } = result;
    const blocks = content.flatMap((block) =>
      this.#isLarge(block) ? (keeping.block(block) ?? block) : block,
    );
    if (!largeStructure) return { ...result, content: blocks };
    if (tool.outputSchema !== undefined) {
      this.diagnostics.note('artifact-promised-inline', { tool: tool.name });
      return { ...result, content: blocks };
    }
    const { structuredContent: _large, ...rest } = result;
    const text = stringifyJson(structuredContent);
    // A text that says the same is the rule (server/tools, structured content).
    if (keeping.has(text)) return { ...rest, content: blocks };
    const link = keeping.link(JSON_TYPE, { text });
    if (link === undefined) return { ...result, content: blocks };
    return { ...rest, content: [...blocks, keeping.note(link), link] };
  }

  #isLarge(block: ContentBlock): boolean {
    const payload = payloadOf(block);
    return payload !== undefined && isLongerThan(this.settings.inlineLimit, contentOf(payload));
  }

  /** What the caller has here, in the form of `resources/list`. */
  listFor(caller: string): Resource[] {
    return this.#shelf.of(caller).map(described);
  }

  /** Whom to tell that what `listFor` gives for a caller has grown. */
  onListChanged(listener: (caller: string) => void): void {
    this.#listChanged = listener;
  }

  /** The caller will not come again. */
  forget(caller: string): void {
    this.#shelf.forget(caller);
  }

  readResource(uri: string, ctx: RequestContext): Bare<ReadResourceResult> {
    const artifact = this.#shelf.get(uri, ctx.caller);
    if (artifact === undefined) throw resourceNotFound(uri);
    const { mimeType, payload } = artifact;
    return { contents: [{ uri, mimeType, ...payload }] };
  }

  tools(): readonly Tool[] {
    return [];
  }

  /** Those of a caller are in nobody else's list: see `listFor`. */
  resources(): readonly Resource[] {
    return [];
  }

  resourceTemplates(): readonly [] {
    return [];
  }

  prompts(): readonly [] {
    return [];
  }

  callTool(name: string): Bare<CallToolResult> {
    throw invalidParams(`Unknown tool: ${name}`, { name });
  }

  getPrompt(name: string): Bare<GetPromptResult> {
    throw invalidParams(`Unknown prompt: ${name}`, { name });
  }

  complete(): Bare<CompleteResult> {
    return { completion: { values: [] } };
  }

  /** What everybody sees of it never changes: see `onListChanged`. */
  onEvent(): void {
    return undefined;
  }

  async start(): Promise<void> {
    // There is nothing to start.
  }

  close(): Promise<void> {
    this.#shelf.clear();
    return Promise.resolve();
  }
}

/** One result, whose parts may say the same twice. */
class Keeping {
  readonly #links = new Map<string, ResourceLink>();

  constructor(
    private readonly shelf: Shelf,
    private readonly ttl: number,
    private readonly tool: string,
    private readonly caller: string,
  ) {}

  /** What takes the place of the block; undefined where it cannot be kept. */
  block(block: ContentBlock): ContentBlock[] | undefined {
    const payload = payloadOf(block);
    const link = payload && this.link(mimeTypeOf(block), payload);
    if (link === undefined) return undefined;
    const { annotations } = block;
    return [this.note(link), annotations === undefined ? link : { ...link, annotations }];
  }

  /** Undefined where it cannot be kept. */
  link(mimeType: string, payload: Payload): ResourceLink | undefined {
    const { caller, tool } = this;
    const known = this.#links.get(contentOf(payload));
    if (known !== undefined) return known;
    const artifact = this.shelf.put({ caller, tool, mimeType, payload });
    if (artifact === undefined) return undefined;
    const link: ResourceLink = { type: 'resource_link', ...described(artifact) };
    this.#links.set(contentOf(payload), link);
    return link;
  }

  get hasKept(): boolean {
    return this.#links.size > 0;
  }

  has(text: string): boolean {
    return this.#links.has(text);
  }

  note({ uri, mimeType = '', size = 0 }: ResourceLink): ContentBlock {
    const seconds = Math.round(this.ttl / 1000);
    const text =
      `This part of the result (${mimeType}, ${size} bytes) is too large to be sent inline. ` +
      `Read it as the resource ${uri}; it is kept for ${seconds} s.`;
    return { type: 'text', text };
  }
}

function described({ id, tool, mimeType, payload, bytes }: Artifact): Resource {
  return {
    uri: `mcpx://${ARTIFACTS_NAMESPACE}/${id}`,
    name: `${tool}-${id.slice(0, 6)}`,
    title: `Part of a result of ${tool}`,
    mimeType,
    size: 'text' in payload ? bytes : Buffer.byteLength(payload.blob, 'base64'),
  };
}

function mimeTypeOf(block: ContentBlock): string {
  if (block.type === 'image' || block.type === 'audio') return block.mimeType;
  if (block.type === 'resource') return block.resource.mimeType ?? 'application/octet-stream';
  return 'text/plain';
}

function contentOf(payload: Payload): string {
  return 'text' in payload ? payload.text : payload.blob;
}
