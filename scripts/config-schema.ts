/** Writes the JSON Schema of the configuration file to docs/, where editors find it. */
import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { configSchema } from '../src/config/json-schema.js';

const target = new URL('../docs/config.schema.json', import.meta.url);
const text = await format(JSON.stringify(configSchema()), { parser: 'json', printWidth: 100 });
await writeFile(target, text);
