/** What `import … from 'mcpx'` gives. */
export {
  createServer,
  McpServer,
  type ListeningServer,
  type ServerOptions,
} from './create-server.js';
export type { Registration } from './backends/local/backend.js';
export type {
  Completer,
  PromptDefinition,
  PromptHandler,
  PromptReturn,
  ResourceDefinition,
  ResourceHandler,
  ResourceReturn,
  ResourceTemplateDefinition,
  ResourceTemplateHandler,
  ToolDefinition,
  ToolHandler,
  ToolReturn,
} from './backends/local/definitions.js';
export {
  withJsonSchema,
  type JsonSchema,
  type Parsed,
  type Schema,
  type StandardSchema,
} from './backends/local/schema.js';
export type { Progress, RequestContext } from './backends/context.js';
export type { Cancellation } from './protocol/cancellation.js';
export type { Logger } from './protocol/log.js';
export { RpcError, invalidParams, resourceNotFound, type RpcErrorKind } from './protocol/errors.js';
export type { Peer } from './protocol/peer.js';
export { SqliteStore } from './store/sqlite.js';
export type { TaskRecord, TaskStatus } from './store/record.js';
export type { TaskStore } from './store/store.js';
export type { CoreSettings } from './server/settings.js';
export type { HttpSettings } from './transport/http/settings.js';
export type * as protocol from '../generated/newest/types.js';
