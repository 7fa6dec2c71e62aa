/*
 * What travels on the wire in revision 2026-07-28: a transcription of names, shapes and constants.
 * Source of the facts: Model Context Protocol specification, revision 2026-07-28. The grouping and
 * the comments are ours. `number` means an integer unless tagged `@TJS-type number`; the other tags
 * are JSON Schema keywords. Nothing here is run: codegen reads it and writes generated/.
 */

// ── Constants ──────────────────────────────────────────────────────────────────────────────────

export const LATEST_PROTOCOL_VERSION = '2026-07-28';
export const JSONRPC_VERSION = '2.0';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

// From here to -32099 the codes are MCP's own; -32000 to -32019 are left to implementations.
export const HEADER_MISMATCH = -32020;
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

// ── Scalars and plain JSON ─────────────────────────────────────────────────────────────────────

export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;
export type JSONObject = { [key: string]: JSONValue };
export type JSONArray = JSONValue[];

export type RequestId = string | number;
export type ProgressToken = string | number;
export type Cursor = string;
export type Role = 'user' | 'assistant';

/** Open: an extension may bring its own. */
export type ResultType = 'complete' | 'input_required' | string;

/** @deprecated SEP-2577 */
export type LoggingLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

// ── `_meta` ────────────────────────────────────────────────────────────────────────────────────

export type MetaObject = Record<string, unknown>;

/** Stands in for the handshake: every request says who asks and in which revision. */
export interface RequestMetaObject extends MetaObject {
  /** Over HTTP the `MCP-Protocol-Version` header says the same. */
  'io.modelcontextprotocol/protocolVersion': string;
  'io.modelcontextprotocol/clientCapabilities': ClientCapabilities;
  'io.modelcontextprotocol/clientInfo'?: Implementation;
  /**
   * No level, no log messages.
   *
   * @deprecated SEP-2577
   */
  'io.modelcontextprotocol/logLevel'?: LoggingLevel;
  /** Asks for `notifications/progress` under this token. */
  progressToken?: ProgressToken;
}

export interface ResultMetaObject extends MetaObject {
  'io.modelcontextprotocol/serverInfo'?: Implementation;
}

export interface NotificationMetaObject extends MetaObject {
  /** Which `subscriptions/listen` request this answers to, by its id; missing elsewhere. */
  'io.modelcontextprotocol/subscriptionId'?: RequestId;
}

// ── Frames: the JSON-RPC envelope, and what every message starts from ──────────────────────────

// `any` below: an interface without an index signature may then narrow `params`.

export interface Request {
  method: string;
  params?: { [key: string]: any };
}

export interface Notification {
  method: string;
  params?: { [key: string]: any };
}

export interface Result {
  /** Only older servers leave it out; that reads as `complete`. */
  resultType: ResultType;
  _meta?: ResultMetaObject;
  [key: string]: unknown;
}

export interface Error {
  code: number;
  message: string;
  data?: unknown;
}

export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

export interface JSONRPCResultResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  result: Result;
}

/** The id may be missing; it is never null. */
export interface JSONRPCErrorResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id?: RequestId;
  error: Error;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

/** One frame is one message; there are no batches. */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export interface RequestParams {
  _meta: RequestMetaObject;
}

export interface NotificationParams {
  _meta?: NotificationMetaObject;
}

export type EmptyResult = Result;

// Pages and caching.

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

export interface PaginatedRequest extends JSONRPCRequest {
  params: PaginatedRequestParams;
}

export interface PaginatedResult extends Result {
  /** Present while pages remain. */
  nextCursor?: Cursor;
}

export interface CacheableResult extends Result {
  /**
   * Milliseconds the result stays fresh after it arrived; 0 is stale at once.
   *
   * @minimum 0
   */
  ttlMs: number;
  /** `private` stays within one authorization. */
  cacheScope: 'public' | 'private';
}

// ── Errors ─────────────────────────────────────────────────────────────────────────────────────

// The first five describe the error member, the three of MCP's own range the whole response.

export interface ParseError extends Error {
  code: typeof PARSE_ERROR;
}

export interface InvalidRequestError extends Error {
  code: typeof INVALID_REQUEST;
}

export interface MethodNotFoundError extends Error {
  code: typeof METHOD_NOT_FOUND;
}

/** Also for a name, URI or cursor nobody knows. */
export interface InvalidParamsError extends Error {
  code: typeof INVALID_PARAMS;
}

export interface InternalError extends Error {
  code: typeof INTERNAL_ERROR;
}

/** HTTP only: a header is missing, malformed, or at odds with the body. */
export interface HeaderMismatchError extends Omit<JSONRPCErrorResponse, 'error'> {
  error: Error & {
    code: typeof HEADER_MISMATCH;
  };
}

export interface MissingRequiredClientCapabilityError extends Omit<JSONRPCErrorResponse, 'error'> {
  error: Error & {
    code: typeof MISSING_REQUIRED_CLIENT_CAPABILITY;
    data: {
      requiredCapabilities: ClientCapabilities;
    };
  };
}

export interface UnsupportedProtocolVersionError extends Omit<JSONRPCErrorResponse, 'error'> {
  error: Error & {
    code: typeof UNSUPPORTED_PROTOCOL_VERSION;
    data: {
      supported: string[];
      requested: string;
    };
  };
}

// ── Names, icons, hints: shared by many definitions ────────────────────────────────────────────

export interface BaseMetadata {
  /** The key in the protocol; shown to people only where `title` is missing. */
  name: string;
  title?: string;
}

export interface Icon {
  /**
   * An http(s) or data URI.
   *
   * @format uri
   */
  src: string;
  mimeType?: string;
  /** `WxH` in pixels, or `any`. */
  sizes?: string[];
  theme?: 'light' | 'dark';
}

export interface Icons {
  icons?: Icon[];
}

export interface Annotations {
  audience?: Role[];
  /**
   * From 0, can be left out, to 1, is needed.
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

export interface Implementation extends BaseMetadata, Icons {
  version: string;
  description?: string;
  /** @format uri */
  websiteUrl?: string;
}

// ── Discovery ──────────────────────────────────────────────────────────────────────────────────

export interface DiscoverRequest extends JSONRPCRequest {
  method: 'server/discover';
  params: RequestParams;
}

export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface DiscoverResultResponse extends JSONRPCResultResponse {
  result: DiscoverResult;
}

export interface ClientCapabilities {
  /** @deprecated SEP-2577 */
  roots?: {};
  /** @deprecated SEP-2577 */
  sampling?: {
    /** Gates every `includeContext` other than `none`. */
    context?: JSONObject;
    /** Gates `tools` and `toolChoice`. */
    tools?: JSONObject;
  };
  /** Empty means form mode alone. */
  elicitation?: {
    form?: JSONObject;
    url?: JSONObject;
  };
  /** Settings by extension identifier. */
  extensions?: { [key: string]: JSONObject };
  experimental?: { [key: string]: JSONObject };
}

export interface ServerCapabilities {
  tools?: {
    listChanged?: boolean;
  };
  resources?: {
    subscribe?: boolean;
    listChanged?: boolean;
  };
  prompts?: {
    listChanged?: boolean;
  };
  completions?: JSONObject;
  /** @deprecated SEP-2577 */
  logging?: JSONObject;
  /** Settings by extension identifier. */
  extensions?: { [key: string]: JSONObject };
  experimental?: { [key: string]: JSONObject };
}

// ── Input in the middle of a request: the server asks in its result, the client asks again ─────

export type InputRequest = ListRootsRequest | CreateMessageRequest | ElicitRequest;
export type InputResponse = ListRootsResult | CreateMessageResult | ElicitResult;

/** The server chooses the keys. */
export interface InputRequests {
  [key: string]: InputRequest;
}

/** Under the keys of the requests they answer. */
export interface InputResponses {
  [key: string]: InputResponse;
}

/** One of the two is always there, or both. */
export interface InputRequiredResult extends Result {
  inputRequests?: InputRequests;
  /** Opaque to the client, which sends it back as it is. */
  requestState?: string;
}

export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}

// ── Subscriptions ──────────────────────────────────────────────────────────────────────────────

/** Nothing is sent that is not asked for here. */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  resourcesListChanged?: boolean;
  promptsListChanged?: boolean;
  /** URIs. */
  resourceSubscriptions?: string[];
}

export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

export interface SubscriptionsListenRequest extends JSONRPCRequest {
  method: 'subscriptions/listen';
  params: SubscriptionsListenRequestParams;
}

export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  /** The part of the wish that will be granted. */
  notifications: SubscriptionFilter;
}

/** Opens the stream: nothing of the same subscription comes before it. */
export interface SubscriptionsAcknowledgedNotification extends JSONRPCNotification {
  method: 'notifications/subscriptions/acknowledged';
  params: SubscriptionsAcknowledgedNotificationParams;
}

export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  'io.modelcontextprotocol/subscriptionId': RequestId;
}

/** Ends the stream, where the server ends it in good order. */
export interface SubscriptionsListenResult extends Result {
  _meta: SubscriptionsListenResultMetaObject;
}

export interface SubscriptionsListenResultResponse extends JSONRPCResultResponse {
  result: SubscriptionsListenResult;
}

// ── Upkeep: cancel, progress, log ──────────────────────────────────────────────────────────────

export interface CancelledNotificationParams extends NotificationParams {
  requestId: RequestId;
  reason?: string;
}

/** A server sends it on stdio alone, to end a `subscriptions/listen` stream. */
export interface CancelledNotification extends JSONRPCNotification {
  method: 'notifications/cancelled';
  params: CancelledNotificationParams;
}

export interface ProgressNotificationParams extends NotificationParams {
  progressToken: ProgressToken;
  /**
   * Grows with every notification.
   *
   * @TJS-type number
   */
  progress: number;
  /** @TJS-type number */
  total?: number;
  message?: string;
}

export interface ProgressNotification extends JSONRPCNotification {
  method: 'notifications/progress';
  params: ProgressNotificationParams;
}

/** @deprecated SEP-2577 */
export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

/** @deprecated SEP-2577 */
export interface LoggingMessageNotification extends JSONRPCNotification {
  method: 'notifications/message';
  params: LoggingMessageNotificationParams;
}

// ── Content blocks ─────────────────────────────────────────────────────────────────────────────

export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ImageContent {
  type: 'image';
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface AudioContent {
  type: 'audio';
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** Points at a resource, which `resources/list` need not know. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

export interface EmbeddedResource {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

// ── Tools ──────────────────────────────────────────────────────────────────────────────────────

/** All of them hints: a client believes them only of servers it trusts. */
export interface ToolAnnotations {
  title?: string;
  /** Taken as false where missing. */
  readOnlyHint?: boolean;
  /** Taken as true where missing. */
  destructiveHint?: boolean;
  /** Taken as false where missing. */
  idempotentHint?: boolean;
  /** Taken as true where missing. */
  openWorldHint?: boolean;
}

/** Both schemas are JSON Schema 2020-12 unless `$schema` names another dialect. */
export interface Tool extends BaseMetadata, Icons {
  description?: string;
  inputSchema: {
    $schema?: string;
    type: 'object';
    [key: string]: unknown;
  };
  /** Any root, not only an object. */
  outputSchema?: {
    $schema?: string;
    [key: string]: unknown;
  };
  annotations?: ToolAnnotations;
  _meta?: MetaObject;
}

export interface ListToolsRequest extends PaginatedRequest {
  method: 'tools/list';
}

export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

export interface ListToolsResultResponse extends JSONRPCResultResponse {
  result: ListToolsResult;
}

export interface CallToolRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: { [key: string]: unknown };
}

export interface CallToolRequest extends JSONRPCRequest {
  method: 'tools/call';
  params: CallToolRequestParams;
}

export interface CallToolResult extends Result {
  content: ContentBlock[];
  /** Any JSON value; null counts as present. */
  structuredContent?: unknown;
  /** The tool ran and failed, in words the model can read; not a protocol error. */
  isError?: boolean;
}

export interface CallToolResultResponse extends JSONRPCResultResponse {
  result: CallToolResult | InputRequiredResult;
}

export interface ToolListChangedNotification extends JSONRPCNotification {
  method: 'notifications/tools/list_changed';
  params?: NotificationParams;
}

// ── Resources ──────────────────────────────────────────────────────────────────────────────────

export interface Resource extends BaseMetadata, Icons {
  /** @format uri */
  uri: string;
  description?: string;
  mimeType?: string;
  /** Bytes, before any encoding. */
  size?: number;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ResourceTemplate extends BaseMetadata, Icons {
  /** @format uri-template */
  uriTemplate: string;
  description?: string;
  /** Only where every match has the same one. */
  mimeType?: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ResourceContents {
  /** @format uri */
  uri: string;
  mimeType?: string;
  _meta?: MetaObject;
}

export interface TextResourceContents extends ResourceContents {
  text: string;
}

export interface BlobResourceContents extends ResourceContents {
  /** @format byte */
  blob: string;
}

export interface ListResourcesRequest extends PaginatedRequest {
  method: 'resources/list';
}

export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Resource[];
}

export interface ListResourcesResultResponse extends JSONRPCResultResponse {
  result: ListResourcesResult;
}

export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: 'resources/templates/list';
}

export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ListResourceTemplatesResultResponse extends JSONRPCResultResponse {
  result: ListResourceTemplatesResult;
}

export interface ResourceRequestParams extends RequestParams {
  /** @format uri */
  uri: string;
}

export interface ReadResourceRequestParams
  extends ResourceRequestParams, InputResponseRequestParams {}

export interface ReadResourceRequest extends JSONRPCRequest {
  method: 'resources/read';
  params: ReadResourceRequestParams;
}

export interface ReadResourceResult extends CacheableResult {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface ReadResourceResultResponse extends JSONRPCResultResponse {
  result: ReadResourceResult | InputRequiredResult;
}

export interface ResourceListChangedNotification extends JSONRPCNotification {
  method: 'notifications/resources/list_changed';
  params?: NotificationParams;
}

export interface ResourceUpdatedNotificationParams extends NotificationParams {
  /**
   * May lie below the subscribed one.
   *
   * @format uri
   */
  uri: string;
}

export interface ResourceUpdatedNotification extends JSONRPCNotification {
  method: 'notifications/resources/updated';
  params: ResourceUpdatedNotificationParams;
}

// ── Prompts ────────────────────────────────────────────────────────────────────────────────────

export interface PromptArgument extends BaseMetadata {
  description?: string;
  required?: boolean;
}

export interface Prompt extends BaseMetadata, Icons {
  description?: string;
  arguments?: PromptArgument[];
  _meta?: MetaObject;
}

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface ListPromptsRequest extends PaginatedRequest {
  method: 'prompts/list';
}

export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

export interface ListPromptsResultResponse extends JSONRPCResultResponse {
  result: ListPromptsResult;
}

export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: { [key: string]: string };
}

export interface GetPromptRequest extends JSONRPCRequest {
  method: 'prompts/get';
  params: GetPromptRequestParams;
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

export interface GetPromptResultResponse extends JSONRPCResultResponse {
  result: GetPromptResult | InputRequiredResult;
}

export interface PromptListChangedNotification extends JSONRPCNotification {
  method: 'notifications/prompts/list_changed';
  params?: NotificationParams;
}

// ── Completion ─────────────────────────────────────────────────────────────────────────────────

export interface PromptReference extends BaseMetadata {
  type: 'ref/prompt';
}

export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** @format uri-template */
  uri: string;
}

export interface CompleteRequestParams extends RequestParams {
  ref: PromptReference | ResourceTemplateReference;
  argument: {
    name: string;
    value: string;
  };
  context?: {
    /** Arguments already settled, by name. */
    arguments?: { [key: string]: string };
  };
}

export interface CompleteRequest extends JSONRPCRequest {
  method: 'completion/complete';
  params: CompleteRequestParams;
}

export interface CompleteResult extends Result {
  completion: {
    /** @maxItems 100 */
    values: string[];
    total?: number;
    hasMore?: boolean;
  };
}

export interface CompleteResultResponse extends JSONRPCResultResponse {
  result: CompleteResult;
}

// ── Roots, asked as input ──────────────────────────────────────────────────────────────────────

/** @deprecated SEP-2577 */
export interface Root {
  /**
   * `file://` only.
   *
   * @format uri
   */
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

/** @deprecated SEP-2577 */
export interface ListRootsRequest {
  method: 'roots/list';
  params?: {
    _meta?: MetaObject;
  };
}

/** @deprecated SEP-2577 */
export interface ListRootsResult {
  roots: Root[];
}

// ── Sampling, asked as input ───────────────────────────────────────────────────────────────────

/** @deprecated SEP-2577 */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: { [key: string]: unknown };
  _meta?: MetaObject;
}

/** @deprecated SEP-2577 */
export interface ToolResultContent {
  type: 'tool_result';
  /** Names the tool use it answers. */
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: MetaObject;
}

/** @deprecated SEP-2577 */
export type SamplingMessageContentBlock =
  TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** @deprecated SEP-2577 */
export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/** @deprecated SEP-2577 */
export interface ModelHint {
  /** Any part of a model's name. */
  name?: string;
}

/** @deprecated SEP-2577 */
export interface ModelPreferences {
  /** The first that fits wins. */
  hints?: ModelHint[];
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  costPriority?: number;
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  speedPriority?: number;
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  intelligencePriority?: number;
}

/** @deprecated SEP-2577 */
export interface ToolChoice {
  /** Taken as `auto` where missing. */
  mode?: 'auto' | 'required' | 'none';
}

/** @deprecated SEP-2577 */
export interface CreateMessageRequestParams {
  messages: SamplingMessage[];
  systemPrompt?: string;
  modelPreferences?: ModelPreferences;
  maxTokens: number;
  /** @TJS-type number */
  temperature?: number;
  stopSequences?: string[];
  /** @deprecated all but `none`, since 2025-11-25 */
  includeContext?: 'none' | 'thisServer' | 'allServers';
  tools?: Tool[];
  toolChoice?: ToolChoice;
  /** Passed to the model's provider as it is. */
  metadata?: JSONObject;
}

/** @deprecated SEP-2577 */
export interface CreateMessageRequest {
  method: 'sampling/createMessage';
  params: CreateMessageRequestParams;
}

/** @deprecated SEP-2577 */
export interface CreateMessageResult extends SamplingMessage {
  model: string;
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | string;
}

// ── Elicitation, asked as input ────────────────────────────────────────────────────────────────

export interface ElicitRequestFormParams {
  mode?: 'form';
  message: string;
  /** One flat object of primitive fields. */
  requestedSchema: {
    $schema?: string;
    type: 'object';
    properties: { [key: string]: PrimitiveSchemaDefinition };
    required?: string[];
  };
}

export interface ElicitRequestURLParams {
  mode: 'url';
  message: string;
  /** @format uri */
  url: string;
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

export interface ElicitRequest {
  method: 'elicitation/create';
  params: ElicitRequestParams;
}

export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel';
  /** Only with `accept`, and only of a form. */
  content?: { [key: string]: string | number | boolean | string[] };
}

// Fields of a form.

export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  minLength?: number;
  maxLength?: number;
  default?: string;
}

export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  /** @TJS-type number */
  minimum?: number;
  /** @TJS-type number */
  maximum?: number;
  /** @TJS-type number */
  default?: number;
}

export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

export interface UntitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  default?: string;
}

export interface TitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  oneOf: {
    const: string;
    title: string;
  }[];
  default?: string;
}

export interface UntitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  items: {
    type: 'string';
    enum: string[];
  };
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

export interface TitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  items: {
    anyOf: {
      const: string;
      title: string;
    }[];
  };
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

/** The 2025-06-18 way of titling options, kept for its peers. */
export interface LegacyTitledEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  /** Titles, in the order of `enum`. */
  enumNames?: string[];
  default?: string;
}

export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

// ── Who may send what: only clients send requests ──────────────────────────────────────────────

export type ClientRequest =
  | DiscoverRequest
  | SubscriptionsListenRequest
  | ListToolsRequest
  | CallToolRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | ListPromptsRequest
  | GetPromptRequest
  | CompleteRequest;

export type ClientNotification = CancelledNotification;

export type ClientResult = EmptyResult;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | SubscriptionsAcknowledgedNotification
  | ToolListChangedNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification;

export type ServerResult =
  | EmptyResult
  | InputRequiredResult
  | DiscoverResult
  | SubscriptionsListenResult
  | ListToolsResult
  | CallToolResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | CompleteResult;
