import { describe, expect, it, onTestFinished } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { MountedConfig } from '../../src/cli/mounted-config.js';
import { adjustableSettings, artifactSettings } from '../../src/config/rooms.js';
import {
  DEFAULTS,
  SETTINGS,
  SETTING_KEYS,
  type SettingKey,
  type Settings,
} from '../../src/config/settings.js';
import type { Config } from '../../src/config/config.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, configFile } from '../support/mcpx-process.js';

/** Another value for each setting, as the file has it. */
const OTHERS: Readonly<Record<string, unknown>> = {
  duration: '77s',
  size: '77KiB',
  count: 77,
  list: ['a-key-that-is-long-enough-for-anybody'],
  origins: ['https://other.example'],
  text: 'other',
};

function other(key: SettingKey): unknown {
  const { kind, default: value } = SETTINGS[key];
  return kind === 'switch' ? !value : OTHERS[kind];
}

const others = (keys: readonly SettingKey[]): Record<string, Record<string, unknown>> => {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const key of keys) {
    const [group, name] = key.split('.') as [string, string];
    (groups[group] ??= {})[name] = other(key);
  }
  return groups;
};

const live = SETTING_KEYS.filter((key) => SETTINGS[key].live);
const lasting = SETTING_KEYS.filter((key) => !SETTINGS[key].live);

async function serving(config: object) {
  const file = await configFile(config);
  const mcpx = new McpxProcess(['serve', '--config', file.path, '--http', '127.0.0.1:0']);
  const client = new HttpClient(await mcpx.printed(/listens on (http:[^\s"]+)/));
  onTestFinished(async () => {
    await client.close();
    await mcpx.stop();
    await file.remove();
  });
  return {
    mcpx,
    client,
    configure: async (next: object) => {
      await writeFile(file.path, JSON.stringify(next));
      mcpx.child.kill('SIGHUP');
    },
  };
}

describe('a setting that changes while mcpx serves', () => {
  it('is named in one line with the others that need a restart, for as long as it differs', async () => {
    const { mcpx, configure } = await serving({});
    await configure(others(SETTING_KEYS));
    const line = await mcpx.printed(/needs a restart: ([^"]+)"/);
    expect(line.split(', ')).toEqual(lasting);
    // Another one than it was started with, not than it was told last.
    await configure({ ...others(live), mcp: { pageSize: other('mcp.pageSize') } });
    await mcpx.printed(/needs a restart: mcp\.pageSize"/);
  });

  it('is not said to have changed by a file that a flag or a variable overrules', async () => {
    const file = await configFile({});
    const args = ['serve', '--config', file.path, '--http', '127.0.0.1:0', '--mcp-page-size', '5'];
    const mcpx = new McpxProcess(args);
    onTestFinished(async () => {
      await mcpx.stop();
      await file.remove();
    });
    await mcpx.printed(/listens on/);
    await writeFile(file.path, JSON.stringify({ mcp: { pageSize: 7, nameLength: 77 } }));
    mcpx.child.kill('SIGHUP');
    expect(await mcpx.printed(/needs a restart: ([^"]+)"/)).toBe('mcp.nameLength');
  });

  it('takes effect for what comes then', async () => {
    const own = {
      adapters: {
        own: { large: { command: process.execPath, args: ['-p', "'x'.repeat(3000)"] } },
      },
    };
    const { client, configure } = await serving(own);
    const blocks = async (): Promise<string[]> => {
      const answer = await client.modern('tools/call', { name: 'own_large', arguments: {} });
      const { result } = await answer.message();
      return (result?.['content'] as { type: string }[]).map(({ type }) => type);
    };
    expect(await blocks()).toEqual(['text']);
    await configure({ ...own, artifacts: { inlineLimit: 1000 } });
    await expect.poll(blocks).toEqual(['text', 'resource_link']);
  });
});

/** All that a change of settings reaches while mcpx serves. */
function reach(settings: Settings): unknown {
  return [adjustableSettings(settings), artifactSettings(settings), settings['elicit.ttl']];
}

const config = (settings: Settings): Config =>
  ({ servers: [{ namespace: 'a' }], apis: [], adapters: [], settings }) as unknown as Config;

describe('each setting', () => {
  it.each(SETTING_KEYS)('%s reaches what serves if, and only if, it is said to', (key) => {
    const mounted = new MountedConfig({
      mountsOf: () => [{ backend: new LocalBackend('a'), names: 'namespaced' }],
      frontOf: () => undefined,
    });
    mounted.change(config(DEFAULTS));
    const changed = { ...DEFAULTS, [key]: other(key) } as Settings;
    const isReached =
      mounted.change(config(changed)).added.length > 0 ||
      JSON.stringify(reach(changed)) !== JSON.stringify(reach(DEFAULTS));
    expect(isReached).toBe(SETTINGS[key].live);
  });
});

describe('mcpx without any servers', () => {
  it('becomes a gateway with the first one, and a reference again when the last one goes', async () => {
    const { client, configure } = await serving({});
    const names = async (): Promise<string[]> => {
      const { result } = await (await client.modern('tools/list')).message();
      return (result?.['tools'] as { name: string }[]).map(({ name }) => name);
    };
    const before = await names();
    expect(before).toContain('check_message');
    const own = { one: { command: process.execPath, args: ['-p', '1'] } };
    await configure({ adapters: { own } });
    await expect.poll(names).toContain('own_one');
    expect(await names()).toContain('mcpx_search_tools');
    expect(await names()).not.toContain('check_message');
    await configure({});
    await expect.poll(names).toEqual(before);
  });
});
