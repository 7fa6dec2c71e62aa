/** What a backend answers that has tools and nothing else. */
import { invalidParams, resourceNotFound } from '../protocol/errors.js';

export abstract class ToolsOnly {
  resources(): readonly [] {
    return [];
  }

  resourceTemplates(): readonly [] {
    return [];
  }

  prompts(): readonly [] {
    return [];
  }

  getPrompt(name: string): never {
    throw invalidParams(`Unknown prompt: ${name}`, { name });
  }

  readResource(uri: string): never {
    throw resourceNotFound(uri);
  }

  complete(): { completion: { values: [] } } {
    return { completion: { values: [] } };
  }
}
