/**
 * What docs/ says of the configuration, made of src/config: the JSON Schema, where editors find it, and
 * the reference, where people do.
 *
 *   --check   writes nothing; fails and names every file that is not current
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { configSchema } from '../../src/config/json-schema.js';
import { configReference } from './reference.js';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const schema = JSON.stringify(configSchema());
const files = {
  'config.schema.json': await format(schema, { parser: 'json', printWidth: 100 }),
  'configuration.md': await format(configReference(), { parser: 'markdown' }),
};

for (const [name, text] of Object.entries(files)) {
  const path = new URL(`../../docs/${name}`, import.meta.url);
  if (!check) {
    await writeFile(path, text);
  } else if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) {
    console.error(`docs/${name} is not current: npm run config-docs`);
    process.exitCode = 1;
  }
}
