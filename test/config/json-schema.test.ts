import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/file.js';
import { configSchema } from '../../src/config/json-schema.js';
import { SETTINGS, SETTING_KEYS } from '../../src/config/settings.js';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const validate = new Ajv2020({ allowUnionTypes: true }).compile(configSchema());

/** What mcpx itself says of it. */
function isAccepted(config: unknown): boolean {
  try {
    parseConfig(JSON.stringify(config), 'c.json', { KEY: 'x' });
    return true;
  } catch {
    return false;
  }
}

describe('the JSON Schema of the configuration', () => {
  it('is the one that is published', () => {
    expect(JSON.parse(read('docs/config.schema.json'))).toEqual(configSchema());
  });

  it.each(['docs/gateway.md', 'docs/openapi.md', 'README.md'])('takes what %s shows', (path) => {
    const blocks = [...read(path).matchAll(/```jsonc?\n(.*?)```/gs)].map(([, text = '']) => text);
    const configs = blocks
      .map((text): unknown => parse(text, [], { allowTrailingComma: true }))
      .filter((value) => /mcpServers|openapi|adapters/.test(JSON.stringify(value)));
    for (const config of configs) {
      expect(validate(config), JSON.stringify([config, validate.errors])).toBe(true);
    }
    if (path !== 'README.md') expect(configs.length).toBeGreaterThan(0);
  });

  it('takes every setting at its default', () => {
    for (const key of SETTING_KEYS) {
      const [group = '', name = ''] = key.split('.');
      expect(validate({ [group]: { [name]: SETTINGS[key].default } })).toBe(true);
    }
  });

  it.each<[unknown, boolean]>([
    [{ mcpServers: { a: { command: 'x', args: ['y'], timeout: 3 } } }, true],
    [{ mcpServers: { a: { url: 'http://a.test', headers: { a: 'b' }, allow: ['*'] } } }, true],
    [{ servers: { a: { command: 'x' } }, inputs: [] }, true],
    [{ mcpServers: { a: {} } }, false],
    [{ mcpServers: { a: { command: 1 } } }, false],
    [{ mcpServers: { a: { command: 'x', args: 'y' } } }, false],
    [{ mcpServers: { a: { command: 'x', deny: 'y' } } }, false],
    [{ mcpServers: { a: { command: 'x', rename: { a: 1 } } } }, false],
    [{ mcpServers: [] }, false],
    [{ transport: { maxBody: '1MiB' } }, true],
    [{ transport: { maxBdy: '1MiB' } }, false],
    [{ transport: { maxBody: {} } }, false],
    [{ openapi: { a: { document: 'a.yaml', include: [{ tag: 'x' }] } } }, true],
    [{ openapi: { a: {} } }, false],
    [{ openapi: { a: { document: 'a.yaml', includes: [] } } }, false],
    [{ openapi: { a: { document: 'a.yaml', include: [{}] } } }, false],
    [{ adapters: { a: { t: { command: 'x' } } } }, true],
    [{ adapters: { a: { t: { command: 'x', url: 'http://a.test' } } } }, false],
    [{ adapters: { a: { t: {} } } }, false],
  ])('judges %j as mcpx does', (config, accepted) => {
    expect(validate(config)).toBe(accepted);
    expect(isAccepted(config)).toBe(accepted);
  });
});
