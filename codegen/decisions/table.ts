/**
 * The reviewed table: what becomes of everything that a peer of some revision cannot be told as the
 * newest shape tells it. Codegen fails where a line is missing, and where one concerns nothing.
 * The first line that fits a change decides it.
 */
import type { Decision } from './decision.js';

/** Handed from 2025-11-25 to 2026-07-28 only where they mean the same. */
const CORE_TASKS = 'Tasks of 2025-11-25 are made and read through methods of their own there.';

export const DECISIONS: readonly Decision[] = [
  // ── discovery and handshake ─────────────────────────────────────────────────────────────────────
  {
    kind: 'field',
    at: ['DiscoverResult.supportedVersions'],
    outcome: { convert: 'discoverAsInitialize', on: 'DiscoverResult' },
    reason: 'The handshake settles on one revision: `protocolVersion`.',
  },
  {
    kind: 'required',
    at: ['DiscoverResult.protocolVersion', 'DiscoverResult.serverInfo'],
    outcome: { convert: 'discoverAsInitialize', on: 'DiscoverResult' },
    reason: 'The answer to `initialize` names the revision and the server at its top level.',
  },
  {
    kind: 'field',
    at: ['DiscoverResult.protocolVersion', 'DiscoverResult.serverInfo'],
    outcome: 'drop',
    reason: 'Discovery lists `supportedVersions`, and tells the identity in `_meta` only.',
  },
  {
    kind: 'method',
    at: ['server/discover'],
    outcome: 'never sent',
    reason: 'An upstream that is not modern is asked with `initialize`.',
  },
  // ── capabilities and identity ───────────────────────────────────────────────────────────────────
  {
    kind: 'field',
    at: ['*Capabilities.extensions'],
    outcome: 'drop',
    reason: 'Extensions are declared from 2026-07-28 on; no older peer knows one.',
  },
  {
    kind: 'field',
    at: ['*Capabilities.tasks'],
    outcome: 'drop',
    reason: `Core tasks are declared to 2025-11-25 only. ${CORE_TASKS}`,
  },
  {
    kind: 'field',
    at: ['ServerCapabilities.completions'],
    outcome: 'drop',
    reason: 'Completion had no capability yet and is offered without one.',
  },
  {
    kind: 'field',
    at: [
      'ClientCapabilities.elicitation',
      'ClientCapabilities.elicitation.*',
      'ClientCapabilities.sampling.*',
      'ClientCapabilities.roots.listChanged',
    ],
    outcome: 'drop',
    reason: 'The revision cannot ask for it; an empty `elicitation` means forms.',
  },
  {
    kind: 'field',
    at: ['Implementation.*'],
    outcome: 'drop',
    reason: 'For display; `name` and `version` are in every revision.',
  },
  // ── display ─────────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'field',
    at: ['*.icons'],
    outcome: 'drop',
    reason: 'For display only, and nothing older can show one.',
  },
  {
    kind: 'field',
    at: ['Tool.title'],
    revisions: ['2025-03-26'],
    outcome: { convert: 'toolTitleToAnnotations', on: 'Tool' },
    reason: '`annotations.title` is where this revision has it, unless the author set that too.',
  },
  {
    kind: 'field',
    at: ['*.title'],
    outcome: 'drop',
    reason: 'For display; where there is no title, clients show `name` (2025-06-18, schema).',
  },
  {
    kind: 'field',
    at: ['Annotations.lastModified', 'Tool.annotations'],
    outcome: 'drop',
    reason: 'Hints that nothing may rely on.',
  },
  {
    kind: 'field',
    at: ['ProgressNotificationParams.message'],
    outcome: 'drop',
    reason: 'The numbers stay; there is no other place for the words.',
  },
  {
    kind: 'field',
    at: ['*._meta'],
    outcome: 'drop',
    reason: 'The object has no `_meta` in this revision; that of results and params stays.',
  },
  // ── tools ───────────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'field',
    at: ['Tool.execution'],
    outcome: 'drop',
    reason: `2025-11-25 alone lists it; mcpx keeps it for the rest. ${CORE_TASKS}`,
  },
  {
    kind: 'type',
    at: ['Tool.inputSchema.*'],
    outcome: { convert: 'inputSchemaBooleans', on: 'Tool.inputSchema' },
    reason:
      'Older schemas take an object for each property: `true` and `false` are spelled `{}` and `{"not": {}}`.',
  },
  {
    kind: 'field',
    at: ['Tool.outputSchema'],
    outcome: 'drop',
    reason: 'Without structured results there is nothing it could describe.',
  },
  {
    kind: 'required',
    at: ['Tool.outputSchema.type'],
    outcome: { convert: 'outputSchemaAsObject', on: 'Tool.outputSchema' },
    reason: 'The root has to be an object: any other is put under `result`, as its values are.',
  },
  {
    kind: 'type',
    at: ['Tool.outputSchema.*'],
    outcome: { convert: 'outputSchemaAsObject', on: 'Tool.outputSchema' },
    reason: 'The declared keywords of a root take objects only; the rest of the schema is kept.',
  },
  {
    kind: 'field',
    at: ['CallToolResult.structuredContent'],
    outcome: { convert: 'structuredContentAsText', on: 'CallToolResult' },
    reason: 'The JSON stays readable in a text block, if none of the text says it already.',
  },
  {
    kind: 'type',
    at: ['CallToolResult.structuredContent'],
    outcome: { convert: 'structuredContentAsObject', on: 'CallToolResult' },
    reason: 'Has to be an object: any other value is put under `result`, as its schema is.',
  },
  {
    kind: 'type',
    at: ['ToolResultContent.structuredContent'],
    outcome: { convert: 'structuredContentAsObject', on: 'ToolResultContent' },
    reason: 'Has to be an object: any other value is put under `result`.',
  },
  {
    kind: 'field',
    at: ['CallToolRequestParams.task', 'CreateMessageRequestParams.task', 'ElicitRequest*.task'],
    outcome: 'drop',
    reason: `Without it the request is answered when it is done. ${CORE_TASKS}`,
  },
  // ── content ─────────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'member',
    at: ['ContentBlock/AudioContent'],
    outcome: { convert: 'audioAsText', on: 'ContentBlock' },
    reason: 'A text block says what it was: type and size.',
  },
  {
    kind: 'member',
    at: ['ContentBlock/ResourceLink'],
    outcome: { convert: 'resourceLinkAsEmbedded', on: 'ContentBlock' },
    reason:
      'An embedded text resource of the same URI names the link, so a program still finds it.',
  },
  // ── completion ──────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'field',
    at: ['CompleteRequestParams.context'],
    outcome: 'drop',
    reason: 'The upstream completes without knowing the other arguments, as it always did.',
  },
  // ── questions ───────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'member',
    at: ['*/InputRequiredResult'],
    outcome: 'never sent',
    reason: 'Each question goes to the client as a request of its own while the call is open.',
  },
  {
    kind: 'field',
    at: ['InputRequiredResult.*'],
    outcome: 'never sent',
    reason: 'Each question goes to the client as a request of its own while the call is open.',
  },
  {
    kind: 'field',
    at: ['*RequestParams.inputResponses', '*RequestParams.requestState'],
    outcome: 'drop',
    reason: 'The upstream asks with requests of its own, and is answered there.',
  },
  {
    kind: 'method',
    at: ['elicitation/create'],
    outcome: 'never sent',
    reason: 'Such a client cannot be asked; the question goes to the broker.',
  },
  {
    kind: 'member',
    at: ['ElicitRequestParams/ElicitRequestURLParams'],
    outcome: { convert: 'refuseUrlElicitation', on: 'ElicitRequestParams' },
    reason: 'Refused: a form instead would take in-band what url mode keeps out of band.',
  },
  {
    kind: 'field',
    at: ['ElicitRequestURLParams.url', 'ElicitRequestURLParams.mode'],
    outcome: { convert: 'refuseUrlElicitation', on: 'ElicitRequestParams' },
    reason: 'Refused: a form instead would take in-band what url mode keeps out of band.',
  },
  {
    kind: 'field',
    at: ['ElicitRequestURLParams.elicitationId'],
    outcome: 'drop',
    reason: 'Only 2025-11-25 tells elicitations apart by an id of their own.',
  },
  {
    kind: 'required',
    at: ['ElicitRequestParams.elicitationId'],
    outcome: { convert: 'elicitationId', on: 'ElicitRequestParams' },
    reason: 'Minted where the one who asks gave none; the client treats it as opaque.',
  },
  {
    kind: 'field',
    at: ['ElicitRequestFormParams.mode', 'ElicitRequestFormParams.requestedSchema.$schema'],
    outcome: 'drop',
    reason: 'There are only forms, in one dialect.',
  },
  {
    kind: 'member',
    at: ['PrimitiveSchemaDefinition/TitledSingleSelectEnumSchema'],
    outcome: { convert: 'titledEnumAsNames', on: 'PrimitiveSchemaDefinition' },
    reason: '`enum` with `enumNames` beside it is how this revision says titled choices.',
  },
  {
    kind: 'field',
    at: ['TitledSingleSelectEnumSchema.oneOf'],
    outcome: { convert: 'titledEnumAsNames', on: 'PrimitiveSchemaDefinition' },
    reason: '`enum` with `enumNames` beside it is how this revision says titled choices.',
  },
  {
    kind: 'member',
    at: ['PrimitiveSchemaDefinition/UntitledSingleSelectEnumSchema'],
    outcome: 'pass',
    reason: 'The same as an enum of this revision without names.',
  },
  {
    kind: 'member',
    at: ['PrimitiveSchemaDefinition/*MultiSelectEnumSchema'],
    outcome: { convert: 'refuseMultiSelect', on: 'PrimitiveSchemaDefinition' },
    reason: 'Refused: no answer of this revision could carry several choices.',
  },
  {
    kind: 'field',
    at: ['*Schema.default'],
    outcome: 'drop',
    reason: 'A hint; only booleans have always had one.',
  },
  {
    kind: 'type',
    at: ['ElicitResult.content.*'],
    outcome: { convert: 'choicesAsText', on: 'ElicitResult' },
    reason: 'Such an upstream cannot have offered several choices; a list is joined to a string.',
  },
  // ── sampling ────────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'member',
    at: ['SamplingMessage.content/AudioContent'],
    outcome: { convert: 'refuseSamplingAudio', on: 'SamplingMessage.content' },
    reason: 'Refused: a model that is told of audio in words would answer the words.',
  },
  {
    kind: 'field',
    at: ['CreateMessageRequestParams.tools', 'CreateMessageRequestParams.toolChoice'],
    outcome: { convert: 'refuseSamplingTools', on: 'CreateMessageRequestParams' },
    reason: 'Refused: without its tools the model would answer something else than was asked.',
  },
  {
    kind: 'member',
    at: ['SamplingMessage.content/Tool*'],
    outcome: { convert: 'refuseSamplingTools', on: 'CreateMessageRequestParams' },
    reason: 'Refused: the client cannot be told of tools that were used.',
  },
  {
    kind: 'type',
    at: ['SamplingMessage.content'],
    outcome: { convert: 'samplingBlocksSplit', on: 'CreateMessageRequestParams.messages' },
    reason: 'One message for each block, in order, of the same role.',
  },
  {
    kind: 'type',
    at: ['CreateMessageResult.content'],
    outcome: { convert: 'answerAsOneBlock', on: 'CreateMessageResult.content' },
    reason: 'One block: the texts of several are joined.',
  },
  {
    kind: 'member',
    at: ['CreateMessageResult.content/Tool*'],
    outcome: { convert: 'answerAsOneBlock', on: 'CreateMessageResult.content' },
    reason: 'Such an upstream cannot have offered tools; their use is named in a text block.',
  },
  {
    kind: 'member',
    at: ['CreateMessageResult.content/AudioContent'],
    outcome: { convert: 'audioAsText', on: 'CreateMessageResult.content' },
    reason: 'A text block says what it was: type and size.',
  },
  // ── subscriptions and tasks ─────────────────────────────────────────────────────────────────────
  {
    kind: 'method',
    at: ['subscriptions/listen', 'notifications/subscriptions/acknowledged'],
    outcome: 'never sent',
    reason: 'Legacy peers are told of changes unasked, and of resources by `resources/subscribe`.',
  },
  {
    kind: 'method',
    at: ['tasks/*', 'notifications/tasks'],
    outcome: 'never sent',
    reason: 'Methods of an extension that only modern peers can declare.',
  },
  // ── envelope ────────────────────────────────────────────────────────────────────────────────────
  {
    kind: 'field',
    at: ['*.resultType'],
    outcome: 'drop',
    reason:
      'Only complete results go to revisions without it, and there every result is complete (2026-07-28, basic).',
  },
  {
    kind: 'field',
    at: ['*.ttlMs', '*.cacheScope'],
    outcome: 'drop',
    reason: 'A hint, and no older field says when a list may be asked for again.',
  },
  {
    kind: 'field',
    at: [
      'ResultMetaObject.io.modelcontextprotocol/serverInfo',
      'RequestMetaObject.io.modelcontextprotocol/*',
      'NotificationMetaObject.io.modelcontextprotocol/subscriptionId',
    ],
    outcome: 'drop',
    reason: 'Reserved keys of the per-request envelope; older peers were told in the handshake.',
  },
  {
    kind: 'field',
    at: ['*.io.modelcontextprotocol/related-task'],
    outcome: 'drop',
    reason: `Reserved for 2025-11-25. ${CORE_TASKS}`,
  },
];
