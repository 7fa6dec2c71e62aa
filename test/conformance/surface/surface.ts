/** The server the official suite is run against: what it expects to find, declared once. */
import { createServer, type McpServer } from '../../../src/index.js';
import { declarePrompts } from './prompts.js';
import { declareQuestions } from './questions.js';
import { declareResources } from './resources.js';
import { declareTasks } from './tasks.js';
import { declareTools } from './tools.js';

export function createSurface(): McpServer {
  const server = createServer({
    name: 'conformance-surface',
    version: '1.0.0',
    instructions: 'Everything here answers the official conformance suite.',
  });
  declareTools(server);
  declareResources(server);
  declarePrompts(server);
  declareQuestions(server);
  declareTasks(server);
  return server;
}
