import { scopes } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
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
  await test.database.db.query('DELETE FROM outbox WHERE tenant_id = $1', [ctx.tenantId]);
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
  expect(await getEventDetail(ctx, id, scopes)).toMatchObject({
    deliveries: [{ state: 'pending', reason: 'fan_out' }],
  });
});

it('only callers who may read webhooks see its deliveries', async () => {
  await makeEndpoint(ctx, url);
  const { eventIds } = await fanOutComments(ctx);
  const event = await getEventDetail(ctx, eventIds[0] ?? '', ['events:read', 'tasks:read']);
  expect(event).not.toHaveProperty('deliveries');
});
