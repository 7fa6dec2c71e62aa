/** `/v1/events` and `/v1/metrics`: what a running mcpx tells, and what it counts. */
import { describe, expect, it } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { schemaFault } from '../../src/backends/json-schema.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { UpstreamBackend } from '../../src/backends/upstream/backend.js';
import { EVENT, type OperationEvent } from '../../src/operations/events.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import type { EventReader } from '../support/http-client.js';
import { operated } from '../support/operations.js';
import { open, paramsFor } from '../support/peers.js';
import { overStdio } from '../support/upstream.js';
import '../support/strict.js';

function eventsOf(stream: EventReader): OperationEvent[] {
  const events = stream.received.map(({ data }) => JSON.parse(data) as OperationEvent);
  for (const event of events) expect(schemaFault(EVENT, event)).toBeUndefined();
  return events;
}

async function next(stream: EventReader, kind: string, has: object = {}): Promise<OperationEvent> {
  const fits = (event: OperationEvent): boolean =>
    event.kind === kind && Object.entries(has).every(([key, value]) => event[key] === value);
  await stream.until(() => eventsOf(stream).some(fits));
  return eventsOf(stream).find(fits) ?? { kind: 'none' };
}

describe('/v1/events', () => {
  it('tells that a list has changed, to everybody who watches', async () => {
    const backend = new LocalBackend('shop');
    backend.addTool({ name: 'order' }, () => '');
    const house = await operated([backend]);
    await house.get('/v1/tools');
    const [one, other] = [await house.events(), await house.events()];
    backend.addTool({ name: 'refund' }, () => '');
    expect(await next(one, 'listChanged')).toEqual({ kind: 'listChanged', list: 'tools' });
    await next(other, 'listChanged');
  });

  it('tells that an upstream went down, why, and that it is up again', async () => {
    const clientInfo = { name: 'mcpx', version: '0' };
    const upstream = new UpstreamBackend({
      namespace: 'fix',
      target: overStdio('2025-11-25'),
      clientInfo,
      diagnostics: new Diagnostics(),
    });
    const house = await operated([upstream]);
    const stream = await house.events();
    const crashed = await house.post('/v1/tools/fix_crash/call');
    expect(crashed.status).toBe(502);
    const down = await next(stream, 'backendChanged', { namespace: 'fix', state: 'starting' });
    expect(down['error']).toContain('7');
    await next(stream, 'backendChanged', { namespace: 'fix', state: 'up' });
    const { body } = await house.get('/v1/backends');
    expect((body['backends'] as object[])[1]).toMatchObject({
      state: 'up',
      lastError: { message: down['error'] },
    });
  });

  it('tells what becomes of a task, and not how it can be read', async () => {
    const backend = new LocalBackend('shop');
    backend.addTool({ name: 'job', execution: { taskSupport: 'optional' } }, () => 'done');
    const house = await operated([backend]);
    const stream = await house.events();
    const client = house.client();
    await client.initialize('2025-11-25');
    const params = { name: 'shop_job', arguments: {}, task: {} };
    const { task } = await client.result('tools/call', params);
    const { taskId } = task as { taskId: string };
    const event = await next(stream, 'taskChanged');
    expect(event['task']).toMatchObject({ tool: 'shop_job', status: 'completed', owned: true });
    expect(JSON.stringify(eventsOf(stream))).not.toContain(taskId);
  });

  it('ends when mcpx does', async () => {
    const house = await operated([]);
    const stream = await house.events();
    await house.close();
    await stream.ended;
  });

  it('has room for a hundred at once, and again when one has gone', async () => {
    const house = await operated([], { sseKeepAlive: 20 });
    const streams = await Promise.all(Array.from({ length: 100 }, () => house.events()));
    const refused = await house.get('/v1/events');
    expect(refused).toMatchObject({ status: 503, body: { status: 503 } });
    streams[0]?.drop();
    // The server hears of it in its own time.
    let again: EventReader;
    do {
      again = await house.events();
      await Promise.race([again.ended, again.until(() => again.comments.length > 0)]).catch(
        () => undefined,
      );
    } while (again.comments.length === 0);
  });
});

const LINE =
  /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? [\d.e+-]+)$/;

describe('/v1/metrics', () => {
  it('counts requests, how they ended and how long they took', async () => {
    const backend = new LocalBackend('shop');
    backend.addTool({ name: 'order' }, () => '');
    const house = await operated([backend]);
    const client = house.client();
    await open(client, NEWEST);
    await client.result('tools/list', paramsFor(NEWEST));
    await client.result('tools/list', paramsFor(NEWEST));
    await client.request('tools/call', paramsFor(NEWEST, { name: 'none' }));
    await client.request('no/such', paramsFor(NEWEST));
    client.notify('notifications/strange');
    await client.result('server/discover', paramsFor(NEWEST));
    const { text, headers } = await house.get('/v1/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = text.trimEnd().split('\n');
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'mcpx_info{version="1.2.3"} 1',
        'mcpx_requests_total{method="tools/list",ending="answered"} 2',
        'mcpx_requests_total{method="tools/call",ending="failed"} 1',
        'mcpx_request_duration_seconds_count{method="tools/list"} 2',
        'mcpx_request_duration_seconds_bucket{method="tools/list",le="+Inf"} 2',
        'mcpx_requests_refused_total 1',
        'mcpx_requests_in_flight 0',
        'mcpx_connections 1',
        'mcpx_backend_up{backend="shop"} 1',
        'mcpx_backend_tools{backend="shop"} 1',
        'mcpx_diagnostics_total{event="notification-unknown"} 1',
      ]),
    );
    // Names of methods that do not exist are made of a peer's input.
    expect(text).not.toContain('no/such');
    const families = lines.filter((line) => line.startsWith('# TYPE'));
    expect(new Set(families).size).toBe(families.length);
  });

  it('shows what is in hand just now', async () => {
    const backend = new LocalBackend('shop');
    let release: (text: string) => void = () => undefined;
    let entered: () => void = () => undefined;
    const entering = new Promise<void>((resolve) => (entered = resolve));
    backend.addTool({ name: 'slow' }, () => {
      entered();
      return new Promise<string>((resolve) => (release = resolve));
    });
    const house = await operated([backend]);
    const call = house.post('/v1/tools/shop_slow/call');
    await entering;
    expect((await house.get('/v1/metrics')).text).toContain('\nmcpx_requests_in_flight 1\n');
    release('');
    await call;
    expect((await house.get('/v1/metrics')).text).toContain('\nmcpx_requests_in_flight 0\n');
  });
});
