/** Answers of clients: whether they are what was asked for. */
import { NEWEST } from '../../generated/revisions.js';
import { RECEIVED } from '../../generated/validators.js';
import type { Question } from '../backends/context.js';
import { UnusableSchema, schemaFault } from '../backends/json-schema.js';
import { faultsOf } from '../edge/faults.js';
import { plainNumbers } from '../protocol/json.js';
import { isObject } from '../protocol/jsonrpc.js';

/** What is wrong with the answer, and where in it; undefined if nothing is. See `AskOptions.verbatim`. */
export function answerFault(
  question: Question,
  answer: unknown,
  verbatim = false,
): string | undefined {
  const validate = RECEIVED[NEWEST].results[question.method];
  if (validate !== undefined && !validate(plainNumbers(answer))) {
    const [fault] = faultsOf(validate.errors ?? []);
    return `${fault?.pointer ?? ''} ${fault?.message ?? 'is not valid'}`.trim();
  }
  return !verbatim && question.method === 'elicitation/create' && isObject(answer)
    ? formFault(question.params, answer)
    : undefined;
}

/** What the user filled in has to fit the form, whoever showed it (client/elicitation). */
function formFault(
  params: object,
  { action, content }: Record<string, unknown>,
): string | undefined {
  const schema = (params as { requestedSchema?: unknown }).requestedSchema;
  if (action !== 'accept' || !isObject(schema)) return undefined;
  try {
    const fault = schemaFault(schema, content ?? {});
    return fault === undefined ? undefined : `/content ${fault}`;
  } catch (error) {
    if (error instanceof UnusableSchema) return undefined;
    throw error;
  }
}
