import { eventually } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CallOptions, expectError, type Json, useGateway } from '../gateway.ts';
import { openStream, type SseClient } from './sse-client.ts';
import { useStreamGateways } from './stream-gateways.ts';

const gateway = useGateway();
const gateways = useStreamGateways(gateway.test, 1, { heartbeatMs: 100 });
const all = ['events:read', 'tasks:read', 'tasks:write'] as const;
const tenant = { id: '', key: '' };
let task: Json;

beforeAll(async () => {
  tenant.id = await gateway.test.createTenant();
  tenant.key = await gateway.makeKey(all, { tenantId: tenant.id });
});

const make = async (title = 't') =>
  (task = await gateway.make('/v1/tasks', { title, description: 'd' }, { key: tenant.key }));
const comment = (content: string, id: string = task.id) =>
  gateway.make(`/v1/tasks/${id}/comments`, { content }, { key: tenant.key });
const follow = (path: string, headers: Record<string, string> = {}): Promise<SseClient> =>
  openStream(`${gateways[0]?.url}${path}`, { 'x-api-key': tenant.key, ...headers });
const refused = (path: string, options: CallOptions = {}) => gateway.get(path, { key: tenant.key, ...options });
const came = (client: SseClient, count: number) => eventually(() => client.received.length >= count);

describe('GET /v1/tasks/{task_id}/events', () => {
  it('sends what happened from the beginning and what happens, as the timeline shows it', async () => {
    await make();
    await comment('before');
    const client = await follow(`/v1/tasks/${task.id}/events`);
    expect(client.headers.get('content-type')).toBe('text/event-stream');
    expect(client.headers.get('cache-control')).toBe('no-store');
    await came(client, 2);
    await comment('after\nthe opening 💩');
    await came(client, 3);
    const timeline = await gateway.get(`/v1/tasks/${task.id}/timeline?sort=seq`, { key: tenant.key });
    expect(client.received.map(({ data }) => data)).toEqual(timeline.body.data);
    expect(client.received.map(({ id, event }) => [id, event])).toEqual([
      ['1', 'created'],
      ['2', 'comment'],
      ['3', 'comment'],
    ]);
    client.cut();
  });

  it('begins with what comes next when it is to, and goes on from there', async () => {
    await make();
    await comment('before');
    const first = await follow(`/v1/tasks/${task.id}/events?from=now`);
    await comment('after');
    await came(first, 1);
    expect(first.received.map(({ id }) => id)).toEqual(['3']);
    first.cut();
    const again = await follow(`/v1/tasks/${task.id}/events?from=now`, { 'last-event-id': '1' });
    await came(again, 2);
    expect(again.received.map(({ id }) => id)).toEqual(['2', '3']);
    again.cut();
    const refusal = await refused(`/v1/tasks/${task.id}/events?from=yesterday`);
    expectError(refusal, 400, 'invalid_request', { field: 'from', constraint: 'enum' });
  });

  it('goes on after Last-Event-ID, which goes before last_event_id', async () => {
    await make();
    for (const content of ['a', 'b', 'c']) await comment(content);
    const idsOf = async (query: string, headers: Record<string, string> = {}) => {
      const client = await follow(`/v1/tasks/${task.id}/events${query}`, headers);
      await eventually(() => client.received.at(-1)?.id === '4');
      client.cut();
      return client.received.map(({ id }) => id);
    };
    expect(await idsOf('', { 'last-event-id': '2' })).toEqual(['3', '4']);
    expect(await idsOf('?last_event_id=3')).toEqual(['4']);
    expect(await idsOf('?last_event_id=1', { 'last-event-id': '3' })).toEqual(['4']);
    expect(await idsOf('', { 'last-event-id': '' })).toEqual(['1', '2', '3', '4']);
    expect(await idsOf('?last_event_id=0')).toEqual(['1', '2', '3', '4']);
  });

  it('sends nothing of other tasks', async () => {
    const { id } = await make('one');
    const client = await follow(`/v1/tasks/${id}/events`);
    await came(client, 1);
    await make('other');
    await comment('of the other');
    await comment('of this', id);
    await came(client, 2);
    expect(client.received.map(({ data }) => data.content)).toEqual([undefined, 'of this']);
    client.cut();
  });

  it('is 404 for a task that the tenant does not have', async () => {
    await make();
    const key = await gateway.makeKey(all, { tenantId: await gateway.test.createTenant() });
    expectError(await refused(`/v1/tasks/${task.id}/events`, { key }), 404, 'not_found');
    expectError(await refused('/v1/tasks/tsk_none/events'), 404, 'not_found');
  });
});

describe('GET /v1/events/stream', () => {
  it('sends the tenant’s events from now on, and of no other tenant', async () => {
    await make('before');
    await eventually(async () => (await last()) > 0);
    const client = await follow('/v1/events/stream');
    const other = await gateway.test.createTenant();
    const key = await gateway.makeKey(all, { tenantId: other });
    await gateway.make('/v1/tasks', { title: 'foreign', description: 'd' }, { key });
    const { id } = await make('after');
    await eventually(() => client.received.some(({ data }) => data.data.task_id === id));
    expect(client.received.map(({ data }) => data.data.title)).not.toContain('foreign');
    client.cut();
  });

  it('skips families that the key may not read, and moves its position past them', async () => {
    const start = String(await last());
    const key = await gateway.makeKey(['events:read'], { tenantId: tenant.id });
    const client = await follow('/v1/events/stream', { 'x-api-key': key, 'last-event-id': start });
    await make();
    await eventually(() => Number(client.lastEventId()) > Number(start));
    expect(client.received).toEqual([]);
    client.cut();
  });

  it('sends a position before the first event, so that an early cut loses nothing', async () => {
    const first = await follow('/v1/events/stream');
    await eventually(() => first.lastEventId() !== '');
    first.cut();
    const { id } = await make();
    const second = await follow('/v1/events/stream', { 'last-event-id': first.lastEventId() });
    await eventually(() => second.received.some(({ data }) => data.data.task_id === id));
    second.cut();
  });

  it('begins with the oldest event that is kept when older ones are gone', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(all, { tenantId });
    for (const title of ['a', 'b', 'c']) await gateway.make('/v1/tasks', { title, description: 'd' }, { key });
    await eventually(async () => (await last(tenantId)) === 3);
    const gone =
      'tenant_id = $1 AND event_id IN (SELECT event_id FROM event_numbers WHERE tenant_id = $1 AND number < 3)';
    for (const table of ['outbox', 'events'])
      await gateway.test.database.db.query(`DELETE FROM ${table} WHERE ${gone}`, [tenantId]);
    const client = await follow('/v1/events/stream', { 'x-api-key': key, 'last-event-id': '1' });
    await came(client, 1);
    expect(client.received.map(({ id, data }) => [id, data.data.title])).toEqual([['3', 'c']]);
    client.cut();
  });
});

describe('a stream', () => {
  it('sends heartbeats while nothing happens', async () => {
    await make();
    const client = await follow(`/v1/tasks/${task.id}/events`);
    await came(client, 1);
    const before = client.comments.length;
    await eventually(() => client.comments.length >= before + 3);
    expect([client.received.length, client.lastEventId()]).toEqual([1, '1']);
    client.cut();
  });

  it.each([
    ['letters', 'abc'],
    ['a negative number', '-1'],
    ['a fraction', '1.5'],
    ['far too many digits', '1'.repeat(400)],
  ])('refuses %s as the last id with 400, in header and query alike', async (_what, id) => {
    await make();
    for (const path of [`/v1/tasks/${task.id}/events`, '/v1/events/stream']) {
      const byHeader = await refused(path, { headers: { 'last-event-id': id } });
      expectError(byHeader, 400, 'invalid_request', { field: 'Last-Event-ID', constraint: 'format' });
      const byQuery = await refused(`${path}?last_event_id=${id}`);
      expect([byQuery.status, byQuery.body.error.details.field]).toEqual([400, 'last_event_id']);
    }
  });

  it('refuses an id that no event has yet', async () => {
    await make();
    const response = await refused(`/v1/tasks/${task.id}/events`, { headers: { 'last-event-id': '2' } });
    expectError(response, 400, 'invalid_request', { field: 'Last-Event-ID', constraint: 'max' });
  });

  it('responds to HEAD with its headers and no body, and any Accept with the stream', async () => {
    await make();
    const url = `${gateways[0]?.url}/v1/tasks/${task.id}/events`;
    const head = await fetch(url, { method: 'HEAD', headers: { 'x-api-key': tenant.key } });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/event-stream', '']);
    for (const accept of ['text/event-stream', 'application/json', '*/*']) {
      const client = await follow(`/v1/tasks/${task.id}/events`, { accept });
      await came(client, 1);
      client.cut();
    }
  });

  it('counts as one request when it opens', async () => {
    const key = await gateway.makeKey(all, { tenantId: tenant.id, rateLimit: 2 });
    const client = await openStream(`${gateway.address()}/v1/events/stream`, { 'x-api-key': key });
    expect(client.headers.get('x-ratelimit-remaining')).toBe('1');
    const task = await gateway.get('/v1/tasks', { key });
    expect(task.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await gateway.get('/v1/events/stream', { key })).status).toBe(429);
    client.cut();
  });
});

async function last(tenantId = tenant.id): Promise<number> {
  const [counter] = await gateway.test.database.db.query<{ last: number }>(
    'SELECT last_number::int AS last FROM event_counters WHERE tenant_id = $1',
    [tenantId],
  );
  return counter?.last ?? 0;
}
