// The wire facts of revision 2025-06-18, transcribed under their official names.
// Source: Model Context Protocol specification, revision 2025-06-18.
// What is stated here is what a frame may hold: members, optionality, types, constants, heritage and
// unions. `number` stands for an integer unless a tag says otherwise. Comments are mcpx's own.

// --- Frames ---

export const JSONRPC_VERSION = '2.0';
export const LATEST_PROTOCOL_VERSION = '2025-06-18';

export type RequestId = string | number;

export interface Request {
  method: string;
  params?: {
    _meta?: {
      progressToken?: ProgressToken;
      [key: string]: unknown;
    };
    [key: string]: unknown;
  };
}

export interface Notification {
  method: string;
  params?: {
    _meta?: { [key: string]: unknown };
    [key: string]: unknown;
  };
}

export interface Result {
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}

export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

export interface JSONRPCResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  result: Result;
}

export type EmptyResult = Result;

export interface JSONRPCError {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  error: {
    code: number;
    message: string;
    data?: unknown;
  };
}

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;

// --- Error codes ---

export const PARSE_ERROR = -32700;
export const INTERNAL_ERROR = -32603;
export const INVALID_PARAMS = -32602;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_REQUEST = -32600;

// --- Names ---

// `name` for programs, `title` for people.
export interface BaseMetadata {
  name: string;
  title?: string;
}

// --- Handshake ---

export interface Implementation extends BaseMetadata {
  version: string;
}

export interface ClientCapabilities {
  roots?: {
    listChanged?: boolean;
  };
  sampling?: object;
  elicitation?: object;
  experimental?: { [key: string]: object };
}

export interface ServerCapabilities {
  tools?: {
    listChanged?: boolean;
  };
  resources?: {
    listChanged?: boolean;
    subscribe?: boolean;
  };
  prompts?: {
    listChanged?: boolean;
  };
  completions?: object;
  logging?: object;
  experimental?: { [key: string]: object };
}

export interface InitializeRequest extends Request {
  method: 'initialize';
  params: {
    protocolVersion: string;
    clientInfo: Implementation;
    capabilities: ClientCapabilities;
  };
}

export interface InitializeResult extends Result {
  protocolVersion: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface InitializedNotification extends Notification {
  method: 'notifications/initialized';
}

// --- Either side, at any time ---

export interface PingRequest extends Request {
  method: 'ping';
}

export interface CancelledNotification extends Notification {
  method: 'notifications/cancelled';
  params: {
    requestId: RequestId;
    reason?: string;
  };
}

// Chosen by the requester, carried in the request's `_meta`, repeated in each progress notification.
export type ProgressToken = string | number;

export interface ProgressNotification extends Notification {
  method: 'notifications/progress';
  params: {
    progressToken: ProgressToken;
    /** @TJS-type number */
    progress: number;
    /** @TJS-type number */
    total?: number;
    message?: string;
  };
}

// --- Pages of a list ---

export type Cursor = string;

export interface PaginatedRequest extends Request {
  params?: {
    cursor?: Cursor;
  };
}

// No `nextCursor`: the list ends here.
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

// --- Content ---

export type Role = 'user' | 'assistant';

export interface Annotations {
  audience?: Role[];
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;
  // ISO 8601, by the specification's text.
  lastModified?: string;
}

export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ImageContent {
  type: 'image';
  mimeType: string;
  /** @format byte */
  data: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface AudioContent {
  type: 'audio';
  mimeType: string;
  /** @format byte */
  data: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface EmbeddedResource {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

// A resource by reference. It need not be one that `resources/list` names.
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

// --- Tools ---

// Hints only, never a promise. Where one is missing, a client assumes the value beside it.
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean; // false
  destructiveHint?: boolean; // true; says something only of a tool that is not read-only
  idempotentHint?: boolean; // false; likewise
  openWorldHint?: boolean; // true
}

export interface Tool extends BaseMetadata {
  description?: string;
  inputSchema: {
    type: 'object';
    properties?: { [key: string]: object };
    required?: string[];
  };
  // What `structuredContent` of this tool's results conforms to.
  outputSchema?: {
    type: 'object';
    properties?: { [key: string]: object };
    required?: string[];
  };
  annotations?: ToolAnnotations;
  _meta?: { [key: string]: unknown };
}

export interface ListToolsRequest extends PaginatedRequest {
  method: 'tools/list';
}

export interface ListToolsResult extends PaginatedResult {
  tools: Tool[];
}

export interface CallToolRequest extends Request {
  method: 'tools/call';
  params: {
    name: string;
    arguments?: { [key: string]: unknown };
  };
}

// A tool that failed still answers with a result, marked `isError`.
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
}

export interface ToolListChangedNotification extends Notification {
  method: 'notifications/tools/list_changed';
}

// --- Resources ---

export interface Resource extends BaseMetadata {
  /** @format uri */
  uri: string;
  description?: string;
  mimeType?: string;
  // In bytes, before base64.
  size?: number;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ResourceTemplate extends BaseMetadata {
  /** @format uri-template */
  uriTemplate: string;
  description?: string;
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

export interface ReadResourceRequest extends Request {
  method: 'resources/read';
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface ReadResourceResult extends Result {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface SubscribeRequest extends Request {
  method: 'resources/subscribe';
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface UnsubscribeRequest extends Request {
  method: 'resources/unsubscribe';
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface ResourceUpdatedNotification extends Notification {
  method: 'notifications/resources/updated';
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface ResourceListChangedNotification extends Notification {
  method: 'notifications/resources/list_changed';
}

// --- Prompts ---

export interface PromptArgument extends BaseMetadata {
  description?: string;
  required?: boolean;
}

export interface Prompt extends BaseMetadata {
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

export interface GetPromptRequest extends Request {
  method: 'prompts/get';
  params: {
    name: string;
    arguments?: { [key: string]: string };
  };
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

export interface PromptListChangedNotification extends Notification {
  method: 'notifications/prompts/list_changed';
}

// --- Completion ---

export interface PromptReference extends BaseMetadata {
  type: 'ref/prompt';
}

export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** @format uri-template */
  uri: string;
}

export interface CompleteRequest extends Request {
  method: 'completion/complete';
  params: {
    ref: PromptReference | ResourceTemplateReference;
    argument: {
      name: string;
      value: string;
    };
    // Arguments that have a value already.
    context?: {
      arguments?: { [key: string]: string };
    };
  };
}

export interface CompleteResult extends Result {
  completion: {
    // The specification's text caps these at 100; its schema does not.
    values: string[];
    hasMore?: boolean;
    total?: number;
  };
}

// --- Logging ---

export type LoggingLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export interface SetLevelRequest extends Request {
  method: 'logging/setLevel';
  params: {
    level: LoggingLevel;
  };
}

export interface LoggingMessageNotification extends Notification {
  method: 'notifications/message';
  params: {
    level: LoggingLevel;
    logger?: string;
    data: unknown;
  };
}

// --- Sampling, asked of the client ---

export interface SamplingMessage {
  role: Role;
  content: TextContent | ImageContent | AudioContent;
}

export interface ModelHint {
  name?: string;
}

// Hints come in order of preference and weigh more than the three priorities.
export interface ModelPreferences {
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

export interface CreateMessageRequest extends Request {
  method: 'sampling/createMessage';
  params: {
    messages: SamplingMessage[];
    maxTokens: number;
    systemPrompt?: string;
    includeContext?: 'none' | 'thisServer' | 'allServers';
    modelPreferences?: ModelPreferences;
    stopSequences?: string[];
    /** @TJS-type number */
    temperature?: number;
    metadata?: object;
  };
}

export interface CreateMessageResult extends Result, SamplingMessage {
  model: string;
  // Open: clients may send reasons of their own.
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | string;
}

// --- Roots, asked of the client ---

export interface Root {
  /** @format uri */
  uri: string;
  name?: string;
  _meta?: { [key: string]: unknown };
}

export interface ListRootsRequest extends Request {
  method: 'roots/list';
}

export interface ListRootsResult extends Result {
  roots: Root[];
}

export interface RootsListChangedNotification extends Notification {
  method: 'notifications/roots/list_changed';
}

// --- Elicitation, asked of the client ---

export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  minLength?: number;
  maxLength?: number;
}

export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  /** @TJS-type number */
  minimum?: number;
  /** @TJS-type number */
  maximum?: number;
}

export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

// `enumNames` are what a person reads, in the order of `enum`.
export interface EnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
}

export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

// A form is flat: one level of properties, each of a primitive type.
export interface ElicitRequest extends Request {
  method: 'elicitation/create';
  params: {
    message: string;
    requestedSchema: {
      type: 'object';
      properties: { [key: string]: PrimitiveSchemaDefinition };
      required?: string[];
    };
  };
}

// `content` goes with `accept`. The official JSON Schema narrows its numbers to integers.
export interface ElicitResult extends Result {
  action: 'accept' | 'decline' | 'cancel';
  content?: { [key: string]: string | number | boolean };
}

// --- Who may send what ---

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
  | SetLevelRequest;

export type ClientNotification =
  | InitializedNotification
  | CancelledNotification
  | ProgressNotification
  | RootsListChangedNotification;

export type ClientResult = EmptyResult | CreateMessageResult | ListRootsResult | ElicitResult;

export type ServerRequest = PingRequest | CreateMessageRequest | ListRootsRequest | ElicitRequest;

export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ToolListChangedNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification;

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
  | CompleteResult;
