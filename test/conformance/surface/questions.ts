/** Tools and a prompt that ask the client, by the names the suite asks for. */
import type { McpServer, RequestContext, protocol } from '../../../src/index.js';

type Form = protocol.ElicitRequestFormParams;

const string = { type: 'string' } as const;

function form(message: string, properties: Form['requestedSchema']['properties']): Form {
  const required = Object.keys(properties);
  return { message, requestedSchema: { type: 'object', properties, required } };
}

export function declareQuestions(server: McpServer): void {
  declareSimple(server);
  declareForms(server);
  declareRounds(server);
}

function declareSimple(server: McpServer): void {
  server.tool(
    {
      name: 'test_sampling',
      description: 'Has the client complete a prompt.',
      inputSchema: { type: 'object', properties: { prompt: string }, required: ['prompt'] },
    },
    async ({ prompt }, ctx) => `LLM response: ${await sampled(ctx, String(prompt))}`,
  );
  server.tool(
    {
      name: 'test_elicitation',
      description: 'Asks the user for a name and an address.',
      inputSchema: { type: 'object', properties: { message: string }, required: ['message'] },
    },
    async ({ message }, ctx) => {
      const asked = form(String(message), { username: string, email: string });
      const { action, content } = await ctx.elicit(asked);
      return `User response: action=${action}, content=${JSON.stringify(content ?? {})}`;
    },
  );
}

function declareForms(server: McpServer): void {
  server.tool(
    {
      name: 'test_elicitation_sep1034_defaults',
      description: 'Every kind of field, each with a default.',
    },
    async (_args, ctx) => {
      const asked = form('Please confirm', {
        name: { ...string, default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      });
      return inWords(await ctx.elicit(asked));
    },
  );
  const values = ['one', 'two', 'three'];
  const titled = values.map((value) => ({ const: value, title: value.toUpperCase() }));
  server.tool(
    { name: 'test_elicitation_sep1330_enums', description: 'Every kind of choice.' },
    async (_args, ctx) => {
      const asked = form('Please choose', {
        untitledSingle: { ...string, enum: values },
        titledSingle: { ...string, oneOf: titled },
        legacyEnum: { ...string, enum: values, enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', items: { ...string, enum: values } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      });
      return inWords(await ctx.elicit(asked));
    },
  );
}

function declareRounds(server: McpServer): void {
  const tool = (name: string, handler: (ctx: RequestContext) => Promise<string>): void => {
    server.tool(
      { name: `test_input_required_result_${name}`, description: 'Needs input of the client.' },
      (_args, ctx) => handler(ctx),
    );
  };
  tool('elicitation', async (ctx) => `Hello, ${await named(ctx, 'user_name')}!`);
  tool('sampling', (ctx) => sampled(ctx, 'What is the capital of France?', 'capital_question'));
  tool('list_roots', async (ctx) => {
    const { roots } = await ctx.listRoots({ key: 'client_roots' });
    return roots.map(({ uri }) => uri).join(', ');
  });
  tool('request_state', async (ctx) => {
    await ctx.elicit(form('Go on?', { ok: { type: 'boolean' } }), { key: 'confirm' });
    return 'state-ok';
  });
  tool('tampered_state', async (ctx) => {
    await ctx.elicit(form('Go on?', { ok: { type: 'boolean' } }), { key: 'confirm' });
    return 'state-ok';
  });
  tool('multiple_inputs', async (ctx) => {
    const answers = await Promise.all([
      named(ctx, 'user_name'),
      sampled(ctx, 'Greet somebody', 'greeting'),
      ctx.listRoots({ key: 'client_roots' }),
    ]);
    return JSON.stringify(answers);
  });
  tool('multi_round', async (ctx) => {
    const name = await named(ctx, 'step1');
    const asked = form('Which colour?', { color: string });
    const { content } = await ctx.elicit(asked, { key: 'step2' });
    return `${name} likes ${String(content?.['color'])}`;
  });
  tool('capabilities', async (ctx) => {
    const question = form('Your name?', { name: string });
    if (ctx.canAsk({ method: 'elicitation/create', params: question })) {
      return inWords(await ctx.elicit(question));
    }
    return sampled(ctx, 'Think of a name');
  });
  server.prompt(
    { name: 'test_input_required_result_prompt', description: 'Needs input of the client.' },
    async (_args, ctx) => {
      const asked = form('What is it about?', { context: string });
      const { content } = await ctx.elicit(asked, { key: 'user_context' });
      return `Write about ${String(content?.['context'])}.`;
    },
  );
}

async function named(ctx: RequestContext, key: string): Promise<string> {
  const { content } = await ctx.elicit(form('What is your name?', { name: string }), { key });
  return String(content?.['name']);
}

async function sampled(ctx: RequestContext, text: string, key?: string): Promise<string> {
  const { content } = await ctx.sample(
    { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 },
    key === undefined ? {} : { key },
  );
  const [block] = [content].flat();
  return block?.type === 'text' ? block.text : `(${block?.type ?? 'nothing'})`;
}

function inWords({ action, content }: protocol.ElicitResult): string {
  return `${action}: ${JSON.stringify(content ?? {})}`;
}
