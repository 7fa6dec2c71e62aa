/** `mcpx questions`: what upstreams want to know and no client could be asked. */
import { Command, Option } from 'commander';
import { ConfigProblem } from '../config/problem.js';
import { formatOption, printJson } from './arguments.js';
import { readInput } from './input.js';
import { operate, type Reached } from './operations-client.js';

interface Shown {
  readonly id: string;
  readonly from: string;
  readonly method: 'elicitation/create' | 'sampling/createMessage';
  readonly params: Record<string, unknown>;
  readonly asked: string;
  readonly expires: string;
}

type Properties = Readonly<Record<string, { type?: string; title?: string; description?: string }>>;

export function questionsCommand(): Command {
  const command = new Command('questions')
    .description('Questions of upstreams that wait for a person: lists, shows and answers them.')
    .addHelpText('after', HELP);
  common(command.command('list').description('all that wait, the oldest first'))
    .addOption(formatOption('text', 'json'))
    .action(async (flags: Reached & { format: string }) => {
      const { questions } = await operate<{ questions: Shown[] }>(flags, 'GET', '/questions');
      if (flags.format === 'json') printJson(questions);
      else process.stdout.write(listed(questions));
    });
  common(command.command('show <id>').description('one of them, with what can be filled in'))
    .addOption(formatOption('text', 'json'))
    .action(async (id: string, flags: Reached & { format: string }) => {
      const question = await one(flags, id);
      if (flags.format === 'json') printJson(question);
      else process.stdout.write(described(question));
    });
  common(command.command('answer <id> [field=value...]').description('fills in what is asked for'))
    .option('--text <text>', 'the answer to a sampling request')
    .option('--json <file>', 'the whole answer as the protocol has it; - is standard input')
    .action(async (id: string, fields: string[], flags: Reached & Given) => {
      const answer = await answerOf(await one(flags, id), fields, flags);
      await operate(flags, 'POST', `${place(id)}/answer`, { answer });
      process.stdout.write(`answered ${id}\n`);
    });
  common(
    command.command('decline <id>').description('tells the upstream that it gets no answer'),
  ).action(async (id: string, flags: Reached) => {
    await operate(flags, 'POST', `${place(id)}/decline`);
    process.stdout.write(`declined ${id}\n`);
  });
  return command;
}

function common(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'where mcpx serve --http listens').default('http://127.0.0.1:7332'),
    )
    .addOption(new Option('--token <token>', 'its operations.token').env('MCPX_OPERATIONS_TOKEN'));
}

const place = (id: string): string => `/questions/${encodeURIComponent(id)}`;

function one(reached: Reached, id: string): Promise<Shown> {
  return operate<Shown>(reached, 'GET', place(id));
}

function listed(questions: readonly Shown[]): string {
  if (questions.length === 0) return 'No question waits.\n';
  return questions
    .map(
      ({ id, from, expires, ...asked }) => `${id}  ${from}  until ${expires}\n  ${gist(asked)}\n`,
    )
    .join('');
}

/** In a line what it is about. */
function gist({ method, params }: Pick<Shown, 'method' | 'params'>): string {
  const text = method === 'elicitation/create' ? params['message'] : params['messages'];
  const line = (typeof text === 'string' ? text : JSON.stringify(text)).replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

function described({ id, from, method, params, asked, expires }: Shown): string {
  const head = `${id}\n${from} asks (${method}) since ${asked}, until ${expires}\n\n`;
  if (method === 'sampling/createMessage') return `${head}${JSON.stringify(params, null, 2)}\n`;
  const message = `${String(params['message'])}\n`;
  if (params['mode'] === 'url') return `${head}${message}\n${String(params['url'])}\n`;
  const { required = [], properties } = schemaOf(params);
  const fields = Object.entries(properties).map(([name, { type, title, description }]) => {
    const about = [title, description].filter((text) => text !== undefined).join(': ');
    const must = required.includes(name) ? ', required' : '';
    return `  ${name} (${type ?? 'a choice'}${must})${about === '' ? '' : `  ${about}`}\n`;
  });
  return `${head}${message}\n${fields.join('')}`;
}

function schemaOf(params: Record<string, unknown>): {
  required?: readonly string[];
  properties: Properties;
} {
  return { properties: {}, ...(params['requestedSchema'] as object | undefined) };
}

interface Given {
  text?: string;
  json?: string;
}

/** Whether it fits is for the server to say. */
async function answerOf(
  { method, params }: Shown,
  fields: readonly string[],
  { text, json }: Given,
): Promise<object> {
  if (json !== undefined) return parsed(await readInput(json), json);
  if (method === 'sampling/createMessage') {
    if (text === undefined) {
      throw new ConfigProblem(
        '--text',
        'a sampling request is answered with a text, or with --json',
      );
    }
    return { role: 'assistant', model: 'a person', content: { type: 'text', text } };
  }
  if (params['mode'] === 'url') return { action: 'accept' };
  const { properties } = schemaOf(params);
  const content = fields.map((field) => {
    const at = field.indexOf('=');
    if (at < 1) throw new ConfigProblem(field, 'expected field=value');
    const name = field.slice(0, at);
    return [name, typed(field.slice(at + 1), properties[name]?.type)] as const;
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

function parsed(text: string, file: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new ConfigProblem(file, `is not JSON: ${(error as Error).message}`);
  }
}

/** What is no number or truth value stays the text it is: the server says what it expected. */
function typed(text: string, type: string | undefined): unknown {
  if (type === 'array') return text === '' ? [] : text.split(',');
  const isNumber = type === 'number' || type === 'integer';
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const HELP = `
A question comes here where the client of the call cannot be asked, and where it cannot be told whose call
it belongs to. Nobody answers in time (elicit.ttl): the upstream is told that the user cancelled.

Examples:
  mcpx questions list
  mcpx questions show 2f6c…
  mcpx questions answer 2f6c… name=Ann age=30 colours=red,blue
  mcpx questions answer 2f6c… --text "Paris"
  mcpx questions decline 2f6c…`;
