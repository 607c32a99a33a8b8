import { append } from '@eas/db';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';
import { numberEvents } from '../relay.ts';
import { makeDelivery } from '../routes.ts';

const gateway = useGateway();
const ids: Record<string, string> = {};
const deliveries: string[] = [];

/** Comments on a task, each with a dead delivery to the webhook. */
async function happen(count: number): Promise<string[]> {
  const ctx = gateway.test.context();
  const eventIds = await ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, (_, n) => {
      const data = { task_id: 'tsk_1', title: 't', content: `${n}`, author: 'key_1' };
      return append(tx, { type: 'task.commented', at: ctx.clock.now(), data, facts: null });
    }),
  );
  for (const id of eventIds) deliveries.push(await makeDelivery(gateway, { ...ids, event_id: id }));
  await numberEvents(gateway.test);
  return eventIds;
}
let eventIds: string[] = [];
beforeAll(async () => {
  ids['webhook_id'] = (await gateway.make('/v1/webhooks', { url: 'https://example.com', events: ['task.*'] })).id;
  eventIds = await happen(3);
});
const path = (rest: string) => `/v1/webhooks/${ids['webhook_id']}/${rest}`;
const get = async (address: string): Promise<Json> => (await gateway.get(address)).body;

describe('deliveries', () => {
  it('are listed in both styles, newest first, and read', async () => {
    const list = await get(path('deliveries'));
    expect(list.metadata).toEqual({ total: 3, limit: 20, offset: 0 });
    expect(list.data.map((delivery: Json) => delivery.event_id)).toEqual(eventIds.toReversed());
    const first = await get(path('deliveries?after=&limit=2'));
    const rest = await get(path(`deliveries?after=${first.pagination.next_cursor}&limit=2`));
    expect([...first.data, ...rest.data]).toEqual(list.data);
    expect((await get(path(`deliveries?after=${list.data[1].id}`))).data).toEqual(rest.data);
    expect((await get(path('deliveries?status=delivered'))).data).toEqual([]);
    expect((await get(path('deliveries?sort=event_id&event_type=task.commented'))).data[0]).toEqual(list.data[2]);
    const refused = await gateway.get(path('deliveries?status=lost'));
    expectError(refused, 400, 'invalid_request', { field: 'status', constraint: 'enum' });
    const detail = await get(`/v1/deliveries/${list.data[0].id}`);
    expect(detail).toMatchObject({ ...list.data[0], history: [], history_truncated: false });
    expect(detail.request.body).toEqual((await get('/v1/events?limit=1')).data[0]);
    expectError(await gateway.get('/v1/webhooks/whk_none/deliveries'), 404, 'not_found');
    expectError(await gateway.get('/v1/deliveries/dlv_none'), 404, 'not_found');
  });

  it('are counted by webhook when they are dead', async () => {
    const counted = async (query: string) =>
      (await get(`/v1/deliveries/dead${query}`)).data.find(({ webhook_id: id }: Json) => id === ids['webhook_id']);
    expect(await counted('')).toEqual({ webhook_id: ids['webhook_id'], url: 'https://example.com', count: 3 });
    expect(await counted('?created_after=2999-01-01T00:00:00Z')).toBeUndefined();
    const refused = await gateway.get('/v1/deliveries/dead?created_after=soon');
    expectError(refused, 400, 'invalid_request', { field: 'created_after', constraint: 'format' });
  });

  it('are part of their event, for callers who may read webhooks', async () => {
    const address = `/v1/events/${eventIds[0]}`;
    expect((await get(address)).deliveries).toContainEqual({
      webhook_id: ids['webhook_id'],
      delivery_id: deliveries[0],
      state: 'dead',
      reason: null,
      attempts: 1,
      last_status: null,
      next_attempt_at: null,
    });
    const key = await gateway.makeKey(['events:read', 'tasks:read']);
    expect((await gateway.get(address, { key })).body).not.toHaveProperty('deliveries');
  });

  it('are resent', async () => {
    const [id] = await happen(1);
    const address = `/v1/deliveries/${deliveries.at(-1)}/resend`;
    const { status, body } = await gateway.post(address, undefined);
    expect([status, body.status, body.event_id]).toEqual([200, 'pending', id]);
    await gateway.test.database.db.query(
      "UPDATE deliveries SET sending_until = app_now() + interval '1 hour' WHERE event_id = $1",
      [id],
    );
    expectError(await gateway.post(address, undefined), 409, 'conflict', { field: 'status', constraint: 'state' });
  });
});

describe('pulling the events of a webhook', () => {
  it('gives them in order, and waits for the next one', async () => {
    const first = await get(path('events?limit=2'));
    expect(first.data.map((event: Json) => event.event_id)).toEqual(eventIds.slice(0, 2));
    expect(first.has_more).toBe(true);
    const rest = await get(path(`events?after=${first.next_cursor}`));
    expect(rest.data[0].event_id).toBe(eventIds[2]);
    const waiting = get(path(`events?after=${rest.next_cursor}&wait_seconds=20`));
    const [next] = await happen(1);
    expect((await waiting).data.map((event: Json) => event.event_id)).toEqual([next]);
  });

  it.each([
    ['after=nonsense', { field: 'after', constraint: 'format' }],
    ['limit=101', { field: 'limit', constraint: 'max' }],
    ['wait_seconds=31', { field: 'wait_seconds', constraint: 'max' }],
  ])('refuses %s', async (query, details) => {
    expectError(await gateway.get(path(`events?${query}`)), 400, 'invalid_request', details);
  });
});

describe('replays', () => {
  it('are counted, created, read, listed and cancelled', async () => {
    const filter = { event_types: ['task.commented'], from: null };
    const counted = await gateway.post(path('replays'), { filter, dry_run: true });
    expect([counted.status, counted.body]).toEqual([
      200,
      { total: 4, filter: { from: null, to: null, event_types: ['task.commented'], statuses: ['dead'] } },
    ]);
    expect((await get(path('replays'))).data).toEqual([]);
    const made = await gateway.post(path('replays'), { filter, max_per_second: 10 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ status: 'running', total: 4, replayed: 0, max_per_second: 10 });
    const address = `/v1/replays/${made.body.id}`;
    expect(made.headers.get('location')).toBe(`${baseUrl}${address}`);
    expect(await get(address)).toEqual(made.body);
    expect((await get(path('replays?status=running'))).data).toEqual([made.body]);
    expectError(await gateway.post(path('replays'), {}), 409, 'conflict', { field: '', constraint: 'limit' });
    expect((await gateway.post(`${address}/cancel`, undefined)).body).toMatchObject({ status: 'cancelled' });
    const again = await gateway.post(`${address}/cancel`, undefined);
    expectError(again, 409, 'conflict', { field: 'status', constraint: 'state' });
  });

  it.each<[string, Json, string, string]>([
    ['a rate of none', { max_per_second: 0 }, 'max_per_second', 'min'],
    ['an unknown type', { filter: { event_types: ['task.exploded'] } }, 'filter.event_types.0', 'enum'],
    ['an unknown status', { filter: { statuses: ['lost'] } }, 'filter.statuses.0', 'enum'],
    ['a time before all that is stored', { filter: { from: '2020-01-01T00:00:00Z' } }, 'filter.from', 'min'],
    ['an unknown filter', { filter: { task_id: 'tsk_1' } }, 'filter.task_id', 'unknown_field'],
  ])('with %s are 400', async (_what, body, field, constraint) => {
    expectError(await gateway.post(path('replays'), body), 400, 'invalid_input', { field, constraint });
  });
});
