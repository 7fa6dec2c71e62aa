import { describe, expect, it } from 'vitest';
import {
  SETTINGS,
  SETTING_KEYS,
  flagOf,
  readSetting,
  settingsFromEnvironment,
  settingsFromFile,
  variableOf,
} from '../../src/config/settings.js';
import { refuse } from '../../src/config/problem.js';
import { Reading } from '../../src/config/reading.js';
import { readValue } from '../../src/config/units.js';

/** Throws where there is a mistake. */
function read<T>(from: (reading: Reading) => T, env: NodeJS.ProcessEnv = {}): T {
  const reading = new Reading(env);
  const value = from(reading);
  refuse(reading.mistakes);
  return value;
}

describe('a duration', () => {
  it.each([
    [250, 250],
    ['250', 250],
    ['250ms', 250],
    ['60s', 60_000],
    ['1.5s', 1500],
    ['10min', 600_000],
    ['10 min', 600_000],
    ['2h', 7_200_000],
    ['0', 0],
  ])('is read from %j', (given, ms) => {
    expect(readValue('duration', given)).toBe(ms);
  });

  it.each(['', 'soon', '10 fortnights', '-1s', '1s2', -1, 1.5, '0.5ms', null, true, '9999h'])(
    'is not read from %j',
    (given) => {
      expect(readValue('duration', given)).toBeUndefined();
    },
  );
});

describe('a size', () => {
  it.each([
    [1024, 1024],
    ['8MiB', 8 * 1024 ** 2],
    ['8 mib', 8 * 1024 ** 2],
    ['1kB', 1000],
    ['0.5KiB', 512],
  ])('is read from %j', (given, bytes) => {
    expect(readValue('size', given)).toBe(bytes);
  });

  it.each(['8M', 'MiB', '-1', {}])('is not read from %j', (given) => {
    expect(readValue('size', given)).toBeUndefined();
  });
});

describe('other kinds of value', () => {
  it('are read strictly', () => {
    expect(readValue('count', '12')).toBe(12);
    expect(readValue('count', 0)).toBeUndefined();
    expect(readValue('count', '1.5')).toBeUndefined();
    expect(readValue('switch', 'off')).toBe(false);
    expect(readValue('switch', true)).toBe(true);
    expect(readValue('switch', 'maybe')).toBeUndefined();
    expect(readValue('switch', 'constructor')).toBeUndefined();
    expect(readValue('list', 'a, b,')).toEqual(['a', 'b']);
    expect(readValue('list', ['a'])).toEqual(['a']);
    expect(readValue('list', ['a', 1])).toBeUndefined();
  });

  it('has origins that can be one', () => {
    const origins = ['https://app.example', 'http://localhost:5173'];
    expect(readValue('origins', origins.join(','))).toEqual(origins);
    for (const wrong of ['*', 'app.example', 'https://app.example/', ['https://a.example/b']]) {
      expect(readValue('origins', wrong)).toBeUndefined();
    }
  });
});

describe('every setting', () => {
  it.each(SETTING_KEYS)('%s has a default of its own kind', (key) => {
    const { default: value } = SETTINGS[key];
    expect(read((reading) => readSetting(key, value, key, reading))).toEqual(value);
  });

  it('has a variable and a flag of its own', () => {
    expect(new Set(SETTING_KEYS.map(variableOf)).size).toBe(SETTING_KEYS.length);
    expect(new Set(SETTING_KEYS.map(flagOf)).size).toBe(SETTING_KEYS.length);
    expect(variableOf('transport.maxBody')).toBe('MCPX_TRANSPORT_MAX_BODY');
    expect(flagOf('proto.stateTTL')).toBe('proto-state-ttl');
  });
});

describe('a settings source', () => {
  it('may be the file, in groups', () => {
    const groups = { transport: { maxBody: '1MiB', sseKeepAlive: 500 }, mcp: { pageSize: 5 } };
    expect(read((reading) => settingsFromFile(groups, reading))).toEqual({
      'transport.maxBody': 1024 ** 2,
      'transport.sseKeepAlive': 500,
      'mcp.pageSize': 5,
    });
  });

  it('may be the environment', () => {
    const env = { MCPX_POOL_CALL_TIMEOUT: '5s', MCPX_CONFIG: 'x', PATH: '/bin' };
    expect(read(settingsFromEnvironment, env)).toEqual({ 'pool.callTimeout': 5000 });
  });

  it.each([
    [{ transprot: {} }, /^\/transprot: unknown key; accepted are mcpServers, openapi, adapters, /],
    [{ transport: 5 }, /^\/transport: 5 is not an object of settings$/],
    [
      { transport: { maxbody: 1 } },
      /^\/transport\/maxbody: unknown setting; accepted are .*maxBody/,
    ],
    [{ transport: { maxBody: 'big' } }, /^\/transport\/maxBody: "big" is not a size such as /],
    [
      { transport: { maxBody: '0' } },
      /^\/transport\/maxBody: "0" is not a size .*, at least 1KiB$/,
    ],
    [
      { mcp: { nameLength: 2 } },
      /^\/mcp\/nameLength: 2 is not a whole number from 1, at least 16$/,
    ],
    [{ pool: { callTimeout: 0 } }, /^\/pool\/callTimeout: 0 is not a duration .*, at least 1ms$/],
    [{ 'a/b~': {} }, /^\/a~1b~0: unknown key/],
  ])('is refused where it says %j', (groups, message) => {
    expect(() => read((reading) => settingsFromFile(groups, reading))).toThrow(message);
  });

  it('is refused where a variable of ours is none, or has a bad value', () => {
    expect(() => read(settingsFromEnvironment, { MCPX_TRANSPORT_MAXBODY: '1' })).toThrow(
      /^MCPX_TRANSPORT_MAXBODY: there is no such setting; there are .*MCPX_TRANSPORT_MAX_BODY/,
    );
    expect(() => read(settingsFromEnvironment, { MCPX_MCP_PAGE_SIZE: 'all' })).toThrow(
      'MCPX_MCP_PAGE_SIZE: "all" is not a whole number from 1',
    );
  });
});
