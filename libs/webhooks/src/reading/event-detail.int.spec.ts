import { scopes } from '@eas/contracts';
import { append, requeueEvents, type UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeEach, expect, it } from '@jest/globals';
import { fanOutComments, makeEndpoint } from '../deliveries/delivery.fixture.ts';
import { getEventDetail } from './get-event-detail.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
});
const url = 'https://example.com';

const giveNumber = (eventId: string) =>
  ctx.db.query('INSERT INTO event_numbers (tenant_id, number, event_id) VALUES ($1, 1, $2)', [ctx.tenantId, eventId]);
/** Up to which number events were fanned out. */
const readTo = (number: number) =>
  ctx.db.query(
    `INSERT INTO event_cursors (tenant_id, consumer, number) VALUES ($1, 'fan_out.follow', $2)
     ON CONFLICT (tenant_id, consumer) DO UPDATE SET number = $2`,
    [ctx.tenantId, number],
  );

it('an event shows its result at each endpoint', async () => {
  const [wanting, choosy, disabled, gone, unrelated] = [
    await makeEndpoint(ctx, url),
    await makeEndpoint(ctx, url, ['task.created', 'pr.*']),
    await makeEndpoint(ctx, url),
    await makeEndpoint(ctx, url),
    await makeEndpoint(ctx, url, ['pr.*']),
  ];
  const change = (set: string, id: string) =>
    test.database.db.query(`UPDATE endpoints SET ${set} WHERE tenant_id = $1 AND id = $2`, [ctx.tenantId, id]);
  await change("status = 'disabled', status_reason = 'by_hand'", disabled);
  const { eventIds } = await fanOutComments(ctx);
  await test.shiftClock(1);
  const late = await makeEndpoint(ctx, url);
  await change('deleted_at = app_now()', gone);
  await change('deleted_at = app_now()', unrelated);
  await test.database.db.query(
    `INSERT INTO attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, status, outcome)
     SELECT $1, $2, $3, n, now(), 1, 500 + n, 'http_5xx' FROM generate_series(1, 2) AS n`,
    [ctx.tenantId, eventIds[0], wanting],
  );
  await giveNumber(eventIds[0] ?? '');
  await readTo(1);
  const { deliveries, ...event } = await getEventDetail(ctx, eventIds[0] ?? '', scopes);
  expect(Object.keys(event)).toEqual(['event_type', 'event_id', 'timestamp', 'data']);
  expect(deliveries?.map(({ webhook_id: id, state, reason }) => [id, state, reason])).toEqual([
    [wanting, 'pending', null],
    [choosy, 'filtered', 'subscription'],
    [disabled, 'disabled', 'by_hand'],
    [gone, 'disabled', 'webhook_deleted'],
    [late, 'created_later', null],
  ]);
  expect(deliveries?.[0]).toMatchObject({ delivery_id: expect.stringMatching(/^dlv_/), last_status: 502 });
  await test.shiftClock(0);
});

it('an event that was not fanned out yet is pending for those who subscribe to it', async () => {
  await makeEndpoint(ctx, url);
  const id = await ctx.inTransaction(async (tx) => {
    const data = { task_id: 'tsk_1', title: 't', content: 'c', author: 'key_1' };
    return append(tx, { type: 'task.commented', at: ctx.clock.now(), data, facts: null });
  });
  const read = async () => (await getEventDetail(ctx, id, scopes)).deliveries;
  const pending = [{ state: 'pending', reason: 'fan_out' }];
  expect(await read()).toMatchObject(pending);
  await readTo(0);
  await giveNumber(id);
  expect(await read()).toMatchObject(pending);
  await readTo(1);
  expect(await read()).toMatchObject([{ state: 'missing' }]);
  await ctx.inTransaction((tx) => requeueEvents(tx, 'event.fan_out', { eventIds: [id], afterMs: 0 }));
  expect(await read()).toMatchObject(pending);
});

it('only callers who may read webhooks see its deliveries', async () => {
  await makeEndpoint(ctx, url);
  const { eventIds } = await fanOutComments(ctx);
  const event = await getEventDetail(ctx, eventIds[0] ?? '', ['events:read', 'tasks:read']);
  expect(event).not.toHaveProperty('deliveries');
});
