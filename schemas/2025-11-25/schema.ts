/*
 * What travels on the wire in revision 2025-11-25: a transcription of names, shapes and constants.
 * Source of the facts: Model Context Protocol specification, revision 2025-11-25. The grouping and
 * the comments are ours. `number` means an integer unless tagged `@TJS-type number`; the other tags
 * are JSON Schema keywords. Nothing here is run: codegen reads it and writes generated/.
 */

// ── Constants ──────────────────────────────────────────────────────────────────────────────────

export const LATEST_PROTOCOL_VERSION = '2025-11-25';
export const JSONRPC_VERSION = '2.0';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const URL_ELICITATION_REQUIRED = -32042;

// ── Scalars ────────────────────────────────────────────────────────────────────────────────────

export type RequestId = string | number;
export type ProgressToken = string | number;
export type Cursor = string;
export type Role = 'user' | 'assistant';
export type LoggingLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

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
  _meta?: { [key: string]: unknown };
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

/** First revision in which the id may be missing; it is never null. */
export interface JSONRPCErrorResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id?: RequestId;
  error: Error;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

/** One frame is one message: arrays of messages are gone since 2025-06-18. */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export interface RequestParams {
  _meta?: {
    /** Asks for `notifications/progress` under this token. */
    progressToken?: ProgressToken;
    [key: string]: unknown;
  };
}

/** Params of the requests that may run as a task. */
export interface TaskAugmentedRequestParams extends RequestParams {
  task?: TaskMetadata;
}

export interface NotificationParams {
  _meta?: { [key: string]: unknown };
}

export type EmptyResult = Result;

// Pages.

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

export interface PaginatedRequest extends JSONRPCRequest {
  params?: PaginatedRequestParams;
}

export interface PaginatedResult extends Result {
  /** Present while pages remain. */
  nextCursor?: Cursor;
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

// ── Handshake ──────────────────────────────────────────────────────────────────────────────────

export interface InitializeRequestParams extends RequestParams {
  protocolVersion: string;
  clientInfo: Implementation;
  capabilities: ClientCapabilities;
}

export interface InitializeRequest extends JSONRPCRequest {
  method: 'initialize';
  params: InitializeRequestParams;
}

export interface InitializeResult extends Result {
  /** The server's choice; need not be what the client asked for. */
  protocolVersion: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface InitializedNotification extends JSONRPCNotification {
  method: 'notifications/initialized';
  params?: NotificationParams;
}

export interface ClientCapabilities {
  roots?: {
    listChanged?: boolean;
  };
  sampling?: {
    /** Gates every `includeContext` other than `none`. */
    context?: object;
    /** Gates `tools` and `toolChoice`. */
    tools?: object;
  };
  /** Empty means form mode alone. */
  elicitation?: {
    form?: object;
    url?: object;
  };
  /** Requests the server may send as tasks. */
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: {
      sampling?: {
        createMessage?: object;
      };
      elicitation?: {
        create?: object;
      };
    };
  };
  experimental?: { [key: string]: object };
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
  completions?: object;
  logging?: object;
  /** Requests the client may send as tasks. */
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: {
      tools?: {
        call?: object;
      };
    };
  };
  experimental?: { [key: string]: object };
}

// ── Upkeep: ping, cancel, progress, log ────────────────────────────────────────────────────────

export interface PingRequest extends JSONRPCRequest {
  method: 'ping';
  params?: RequestParams;
}

export interface CancelledNotificationParams extends NotificationParams {
  /** Optional in the type alone: a request cannot be cancelled without it, a task never is by it. */
  requestId?: RequestId;
  reason?: string;
}

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

export interface SetLevelRequestParams extends RequestParams {
  level: LoggingLevel;
}

export interface SetLevelRequest extends JSONRPCRequest {
  method: 'logging/setLevel';
  params: SetLevelRequestParams;
}

export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

export interface LoggingMessageNotification extends JSONRPCNotification {
  method: 'notifications/message';
  params: LoggingMessageNotificationParams;
}

// ── Content blocks ─────────────────────────────────────────────────────────────────────────────

export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ImageContent {
  type: 'image';
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface AudioContent {
  type: 'audio';
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

/** Points at a resource, which `resources/list` need not know. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

export interface EmbeddedResource {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
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

export interface ToolExecution {
  /** Taken as `forbidden` where missing. */
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

export interface Tool extends BaseMetadata, Icons {
  description?: string;
  inputSchema: {
    $schema?: string;
    type: 'object';
    properties?: { [key: string]: object };
    required?: string[];
  };
  outputSchema?: {
    $schema?: string;
    type: 'object';
    properties?: { [key: string]: object };
    required?: string[];
  };
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
  _meta?: { [key: string]: unknown };
}

export interface ListToolsRequest extends PaginatedRequest {
  method: 'tools/list';
}

export interface ListToolsResult extends PaginatedResult {
  tools: Tool[];
}

export interface CallToolRequestParams extends TaskAugmentedRequestParams {
  name: string;
  arguments?: { [key: string]: unknown };
}

export interface CallToolRequest extends JSONRPCRequest {
  method: 'tools/call';
  params: CallToolRequestParams;
}

export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
  /** The tool ran and failed, in words the model can read; not a protocol error. */
  isError?: boolean;
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
  _meta?: { [key: string]: unknown };
}

export interface ResourceTemplate extends BaseMetadata, Icons {
  /** @format uri-template */
  uriTemplate: string;
  description?: string;
  /** Only where every match has the same one. */
  mimeType?: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ResourceContents {
  /** @format uri */
  uri: string;
  mimeType?: string;
  _meta?: { [key: string]: unknown };
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

export interface ListResourcesResult extends PaginatedResult {
  resources: Resource[];
}

export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: 'resources/templates/list';
}

export interface ListResourceTemplatesResult extends PaginatedResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ResourceRequestParams extends RequestParams {
  /** @format uri */
  uri: string;
}

export interface ReadResourceRequestParams extends ResourceRequestParams {}

export interface ReadResourceRequest extends JSONRPCRequest {
  method: 'resources/read';
  params: ReadResourceRequestParams;
}

export interface ReadResourceResult extends Result {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface SubscribeRequestParams extends ResourceRequestParams {}

export interface SubscribeRequest extends JSONRPCRequest {
  method: 'resources/subscribe';
  params: SubscribeRequestParams;
}

export interface UnsubscribeRequestParams extends ResourceRequestParams {}

export interface UnsubscribeRequest extends JSONRPCRequest {
  method: 'resources/unsubscribe';
  params: UnsubscribeRequestParams;
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
  _meta?: { [key: string]: unknown };
}

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface ListPromptsRequest extends PaginatedRequest {
  method: 'prompts/list';
}

export interface ListPromptsResult extends PaginatedResult {
  prompts: Prompt[];
}

export interface GetPromptRequestParams extends RequestParams {
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
    /** At most 100; this revision's schema does not enforce it. */
    values: string[];
    total?: number;
    hasMore?: boolean;
  };
}

// ── Roots, asked of the client ─────────────────────────────────────────────────────────────────

export interface Root {
  /**
   * `file://` only.
   *
   * @format uri
   */
  uri: string;
  name?: string;
  _meta?: { [key: string]: unknown };
}

export interface ListRootsRequest extends JSONRPCRequest {
  method: 'roots/list';
  params?: RequestParams;
}

export interface ListRootsResult extends Result {
  roots: Root[];
}

export interface RootsListChangedNotification extends JSONRPCNotification {
  method: 'notifications/roots/list_changed';
  params?: NotificationParams;
}

// ── Sampling, asked of the client ──────────────────────────────────────────────────────────────

export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: { [key: string]: unknown };
  _meta?: { [key: string]: unknown };
}

export interface ToolResultContent {
  type: 'tool_result';
  /** Names the tool use it answers. */
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
  _meta?: { [key: string]: unknown };
}

export type SamplingMessageContentBlock =
  TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: { [key: string]: unknown };
}

export interface ModelHint {
  /** Any part of a model's name. */
  name?: string;
}

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

export interface ToolChoice {
  /** Taken as `auto` where missing. */
  mode?: 'auto' | 'required' | 'none';
}

export interface CreateMessageRequestParams extends TaskAugmentedRequestParams {
  messages: SamplingMessage[];
  systemPrompt?: string;
  modelPreferences?: ModelPreferences;
  maxTokens: number;
  /** @TJS-type number */
  temperature?: number;
  stopSequences?: string[];
  /** All but `none` are on their way out. */
  includeContext?: 'none' | 'thisServer' | 'allServers';
  tools?: Tool[];
  toolChoice?: ToolChoice;
  /** Passed to the model's provider as it is. */
  metadata?: object;
}

export interface CreateMessageRequest extends JSONRPCRequest {
  method: 'sampling/createMessage';
  params: CreateMessageRequestParams;
}

export interface CreateMessageResult extends Result, SamplingMessage {
  model: string;
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | string;
}

// ── Elicitation, asked of the client ───────────────────────────────────────────────────────────

export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
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

export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  mode: 'url';
  message: string;
  /** @format uri */
  url: string;
  /** Unique within the server; `notifications/elicitation/complete` names it again. */
  elicitationId: string;
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

export interface ElicitRequest extends JSONRPCRequest {
  method: 'elicitation/create';
  params: ElicitRequestParams;
}

export interface ElicitResult extends Result {
  action: 'accept' | 'decline' | 'cancel';
  /** Only with `accept`, and only of a form. */
  content?: { [key: string]: string | number | boolean | string[] };
}

export interface ElicitationCompleteNotification extends JSONRPCNotification {
  method: 'notifications/elicitation/complete';
  params: {
    elicitationId: string;
  };
}

/** The answer of a server that can go on only after these URLs were visited. */
export interface URLElicitationRequiredError extends Omit<JSONRPCErrorResponse, 'error'> {
  error: Error & {
    code: typeof URL_ELICITATION_REQUIRED;
    data: {
      elicitations: ElicitRequestURLParams[];
      [key: string]: unknown;
    };
  };
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

// ── Tasks, asked of either side ────────────────────────────────────────────────────────────────

/** A tool result with `isError` counts as `failed` here. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What the asking side wishes. */
export interface TaskMetadata {
  /** Milliseconds from creation. */
  ttl?: number;
}

/** The value of `_meta["io.modelcontextprotocol/related-task"]`. */
export interface RelatedTaskMetadata {
  taskId: string;
}

export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /**
   * Milliseconds from creation; null keeps the task for good.
   *
   * @nullable
   */
  ttl: number | null;
  /** Milliseconds. */
  pollInterval?: number;
}

/** Answers at once a request that carried `task`. */
export interface CreateTaskResult extends Result {
  task: Task;
}

export interface GetTaskRequest extends JSONRPCRequest {
  method: 'tasks/get';
  params: {
    taskId: string;
  };
}

export type GetTaskResult = Result & Task;

export interface GetTaskPayloadRequest extends JSONRPCRequest {
  method: 'tasks/result';
  params: {
    taskId: string;
  };
}

/** Exactly what the request would have been answered without a task. */
export interface GetTaskPayloadResult extends Result {
  [key: string]: unknown;
}

export interface ListTasksRequest extends PaginatedRequest {
  method: 'tasks/list';
}

export interface ListTasksResult extends PaginatedResult {
  tasks: Task[];
}

export interface CancelTaskRequest extends JSONRPCRequest {
  method: 'tasks/cancel';
  params: {
    taskId: string;
  };
}

export type CancelTaskResult = Result & Task;

export type TaskStatusNotificationParams = NotificationParams & Task;

export interface TaskStatusNotification extends JSONRPCNotification {
  method: 'notifications/tasks/status';
  params: TaskStatusNotificationParams;
}

// ── Who may send what ──────────────────────────────────────────────────────────────────────────

export type ClientRequest =
  | InitializeRequest
  | PingRequest
  | ListToolsRequest
  | CallToolRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | ListPromptsRequest
  | GetPromptRequest
  | CompleteRequest
  | SetLevelRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

export type ClientNotification =
  | InitializedNotification
  | CancelledNotification
  | ProgressNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

export type ClientResult =
  | EmptyResult
  | ListRootsResult
  | CreateMessageResult
  | ElicitResult
  | GetTaskResult
  | GetTaskPayloadResult
  | ListTasksResult
  | CancelTaskResult;

export type ServerRequest =
  | PingRequest
  | ListRootsRequest
  | CreateMessageRequest
  | ElicitRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ToolListChangedNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | ElicitationCompleteNotification
  | TaskStatusNotification;

export type ServerResult =
  | EmptyResult
  | InitializeResult
  | ListToolsResult
  | CallToolResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | CompleteResult
  | GetTaskResult
  | GetTaskPayloadResult
  | ListTasksResult
  | CancelTaskResult;
