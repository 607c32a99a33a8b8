import type { Send } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
import { startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deliveryStates } from '../../test/delivery-states.ts';
import { fanOutComments, makeEndpoint } from '../deliveries/delivery.fixture.ts';
import { claimDeliveries, deadLetterUnsent, holdDeliveries, releaseDeliveries } from '../deliveries/delivery.store.ts';
import { sweepDueDeliveries } from '../deliveries/delivery.sweeper.ts';
import { fanOut } from '../deliveries/fan-out.ts';
import { deadLetterHeld, drainHeld, sweepProbes } from '../deliveries/held.sweeper.ts';
import { disableByHand } from '../endpoints/enable-endpoint.ts';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { sendDeliveries } from './send-deliveries.ts';

const db = useTestDatabase();
const egress = createLoopbackEgress();
const sending = { send: egress.send, retry: { scheduleMs: [5_000, 300_000], random: () => 0 } };
let sink: WebhookSink;
let ctx: UseCaseContext;
let endpointId = '';

/** Sends what the jobs carry, and what follows from them. */
async function work(jobs: readonly Send[]): Promise<void> {
  const mine = jobs.filter(({ payload }) => payload.tenant_id === ctx.tenantId);
  for (const { job, payload } of mine)
    if (job === 'delivery.send') await work((await sendDeliveries(ctx, payload as never, sending)).then);
}
const sweep = async (sweeper: (tx: Pick<UseCaseContext, 'db'>) => Promise<Send[]>) =>
  work(await ctx.inTransaction((tx) => sweeper(tx)));
/** Fans comments out and sends them. */
const comment = async (count = 1) => work((await fanOutComments(ctx, count)).then);
const states = async () => (await deliveryStates(ctx, endpointId)).map(({ status }) => status);
const reasons = async () =>
  (
    await ctx.db.query<{ reason: string | null }>(
      'SELECT reason FROM deliveries WHERE tenant_id = $1 AND endpoint_id = $2 ORDER BY event_id',
      [ctx.tenantId, endpointId],
    )
  ).map(({ reason }) => reason);
const endpoint = async () => (await getEndpoint(ctx, endpointId)).body;
const setHealth = (failures: number, hours: number) =>
  ctx.db.query(
    `UPDATE endpoints SET failures_in_row = $3, failing_since = app_now() - $4 * interval '1 hour', status = 'failing'
     WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, endpointId, failures, hours],
  );
const healthEvents = async () =>
  (
    await ctx.db.query<{ type: string }>(
      `SELECT event_type AS type FROM events WHERE tenant_id = $1 AND event_type LIKE 'webhook.%' ORDER BY event_id`,
      [ctx.tenantId],
    )
  ).map(({ type }) => type);

beforeAll(async () => {
  sink = await startWebhookSink();
  // Time passes only when the test moves it.
  await db.stopClock();
});
afterAll(async () => {
  await egress.close();
  await sink.close();
});
beforeEach(async () => {
  ctx = db.context({ tenantId: await db.createTenant() });
  sink.requests.length = 0;
  sink.respondWith({ status: 200 });
  endpointId = await makeEndpoint(ctx, `${sink.url}/hook`);
});
afterEach(() => db.shiftClock(0));

/** Failing for long enough that the next failure pauses it. */
async function pause() {
  await setHealth(99, 2);
  sink.respondWith({ status: 500 });
  await comment();
  expect(await endpoint()).toMatchObject({ status: 'paused', status_reason: 'http_5xx' });
}

describe('an endpoint that fails', () => {
  it('is failing after five attempts in a row, active after a success, and reports both once', async () => {
    sink.respondWith({ status: 500 });
    await comment(4);
    expect(await endpoint()).toMatchObject({ status: 'active', failures_in_row: 4, last_success_at: null });
    await comment(3);
    expect(await endpoint()).toMatchObject({ status: 'failing', status_reason: 'http_5xx', failures_in_row: 7 });
    expect((await endpoint()).failing_since).toMatch(/Z$/);
    sink.respondWith({ status: 200 });
    await comment(2);
    const healthy = { status: 'active', status_reason: null, failures_in_row: 0, failing_since: null };
    expect(await endpoint()).toMatchObject({ ...healthy, last_success_at: expect.stringMatching(/Z$/) });
    expect(await healthEvents()).toEqual(['webhook.failing', 'webhook.recovered']);
  });

  it('keeps the remaining tries of a delivery when nothing was delivered since, and sends it after a success', async () => {
    sink.respondWith({ status: 503 });
    await comment();
    await db.shiftClock(10);
    await sweep(sweepDueDeliveries);
    await db.shiftClock(400);
    await sweep(sweepDueDeliveries);
    expect([await states(), await reasons()]).toEqual([['held'], ['webhook_failing']]);
    sink.respondWith({ status: 200 });
    await comment();
    await sweep(drainHeld);
    expect(await states()).toEqual(['delivered', 'delivered']);
  });
});

describe('a paused endpoint', () => {
  it('gets nothing; due and new deliveries are held', async () => {
    await comment();
    const { then } = await fanOutComments(ctx, 3);
    await pause();
    const before = sink.requests.length;
    await work(then);
    await comment(2);
    expect(sink.requests).toHaveLength(before);
    expect(await states()).toEqual(['delivered', 'held', 'held', 'held', 'pending', 'held', 'held']);
    expect((await reasons()).filter((reason) => reason === 'webhook_paused')).toHaveLength(5);
    await sweep(drainHeld);
    expect(sink.requests).toHaveLength(before);
  });

  it('is probed with its oldest delivery after 5 minutes, then 10; a failed probe holds the delivery', async () => {
    await pause();
    await comment(3);
    const before = sink.requests.length;
    await sweep(sweepProbes);
    expect(sink.requests).toHaveLength(before);
    await db.shiftClock(301);
    await sweep(sweepProbes);
    expect(sink.requests).toHaveLength(before + 1);
    expect(await states()).toEqual(['pending', 'held', 'held', 'held']);
    await db.shiftClock(301 + 590);
    await sweep(sweepProbes);
    expect(sink.requests).toHaveLength(before + 1);
    await db.shiftClock(301 + 610);
    await sweep(sweepProbes);
    expect(sink.requests).toHaveLength(before + 2);
    expect(await endpoint()).toMatchObject({ status: 'paused', failures_in_row: 102 });
  });

  it('recovers although it refuses its oldest delivery: every second probe is the newest', async () => {
    await pause();
    await comment(3);
    const [, oldest] = await ctx.db.query<{ id: string }>(
      'SELECT event_id AS id FROM deliveries WHERE tenant_id = $1 AND endpoint_id = $2 ORDER BY event_id',
      [ctx.tenantId, endpointId],
    );
    sink.respondWith(({ headers }) => ({ status: headers['webhook-id'] === oldest?.id ? 422 : 200 }));
    await db.shiftClock(301);
    await sweep(sweepProbes);
    expect(await endpoint()).toMatchObject({ status: 'paused' });
    await db.shiftClock(301 + 610);
    await sweep(sweepProbes);
    expect(await endpoint()).toMatchObject({ status: 'active' });
  });

  it('recovers with the first success and gets its backlog in parts, the oldest first', async () => {
    await pause();
    await comment(60);
    sink.respondWith({ status: 200 });
    await db.shiftClock(301);
    await sweep(sweepProbes);
    expect(await endpoint()).toMatchObject({ status: 'active', failures_in_row: 0 });
    expect(await healthEvents()).toEqual(['webhook.paused', 'webhook.recovered']);
    const probed = sink.requests.length;
    await sweep(drainHeld);
    const drained = sink.requests.slice(probed).map(({ headers }) => headers['webhook-id'] ?? '');
    expect(drained).toHaveLength(25);
    const rest = (await deliveryStates(ctx, endpointId)).filter(({ status }) => status === 'held');
    expect(rest).toHaveLength(34);
    await sweep(drainHeld);
    await sweep(drainHeld);
    expect((await states()).filter((status) => status === 'held')).toEqual([]);
  });

  it('that is disabled ends its held deliveries, with the reason', async () => {
    await pause();
    await comment(2);
    await disableByHand(ctx, { id: endpointId, ifMatch: undefined });
    await ctx.inTransaction((tx) => deadLetterHeld(tx));
    expect((await states()).slice(1)).toEqual(['dead', 'dead']);
    expect((await reasons()).slice(1)).toEqual(['webhook_disabled', 'webhook_disabled']);
  });
});

it('a rate cap postpones further deliveries, each to its own time', async () => {
  await ctx.db.query('UPDATE endpoints SET max_per_second = 3 WHERE id = $1', [endpointId]);
  await comment(10);
  expect(sink.requests).toHaveLength(3);
  const waiting = (await deliveryStates(ctx, endpointId)).slice(3);
  expect(new Set((await reasons()).slice(3))).toEqual(new Set(['throttled']));
  const waits = waiting.map(({ waitMs }) => waitMs ?? 0);
  expect((waits[6] ?? 0) - (waits[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
  expect(waiting.every(({ status, isInHand }) => status === 'pending' && !isInHand)).toBe(true);
  await db.shiftClock(2);
  await sweep(sweepDueDeliveries);
  expect(sink.requests.length).toBeLessThanOrEqual(6);
  for (const seconds of [5, 8, 11, 14]) {
    await db.shiftClock(seconds);
    await sweep(sweepDueDeliveries);
  }
  expect(new Set(await states())).toEqual(new Set(['delivered']));
});

describe('an endpoint that is ordered by task', () => {
  const commentOn = async (...tasks: string[]) => {
    const events = await ctx.inTransaction(async (tx) =>
      tasks.map((taskId, index) => {
        const data = { task_id: taskId, title: `${index}`, content: 'c', author: 'key_1' };
        return {
          eventId: append(tx, { type: 'task.commented', at: ctx.clock.now(), data, facts: null }),
          type: 'task.commented' as const,
        };
      }),
    );
    await work((await fanOut(ctx, events)).then);
    return events.map(({ eventId }) => eventId);
  };
  const received = () => sink.requests.map(({ headers }) => headers['webhook-id']);
  beforeEach(() => ctx.db.query(`UPDATE endpoints SET ordering = 'task' WHERE id = $1`, [endpointId]));

  it('gets the events of a task one after another', async () => {
    const ids = await commentOn(...Array.from({ length: 8 }, () => 'tsk_a'));
    expect(received()).toEqual(ids);
    expect(sink.maxOpen()).toBeGreaterThan(0);
  });

  it('gets later deliveries of a task held together with a held one, and then both in order', async () => {
    sink.respondWith({ status: 500 });
    const [a0, a1] = await commentOn('tsk_a', 'tsk_a');
    await ctx.db.query(
      `UPDATE deliveries SET status = 'held', next_attempt_at = NULL WHERE tenant_id = $1 AND event_id = $2`,
      [ctx.tenantId, a0],
    );
    await ctx.db.query('UPDATE endpoints SET drains_since = app_now() WHERE id = $1', [endpointId]);
    await db.shiftClock(60);
    await sweep(sweepDueDeliveries);
    expect([await states(), (await reasons())[1]]).toEqual([['held', 'held'], 'ordered']);
    sink.respondWith({ status: 200 });
    sink.requests.length = 0;
    await sweep(drainHeld);
    expect(received()).toEqual([a0, a1]);
  });

  it('gets no later event of a task before a failed one; other tasks do not wait', async () => {
    sink.respondWith(({ body }) => ({ status: JSON.parse(body.toString()).data.title === '0' ? 500 : 200 }));
    const [a0 = '', a1 = '', b0 = '', a2 = '', b1 = ''] = await commentOn('tsk_a', 'tsk_a', 'tsk_b', 'tsk_a', 'tsk_b');
    expect(new Set(received())).toEqual(new Set([a0, b0, b1]));
    expect((await reasons())[1]).toBe('ordered');
    sink.respondWith({ status: 200 });
    sink.requests.length = 0;
    await db.shiftClock(6);
    await sweep(sweepDueDeliveries);
    expect(received()).toEqual([a0, a1, a2]);
  });
});

it('a worker that outlived its claim changes nothing that belongs to another one', async () => {
  const { eventIds } = await fanOutComments(ctx, 2);
  const first = await claimDeliveries(ctx, endpointId, eventIds, 1_000_000);
  await db.shiftClock(31);
  const second = await claimDeliveries(ctx, endpointId, eventIds, 1_000_000);
  expect(second.deliveries).toHaveLength(2);
  const rows = { endpointId, eventIds, claimedUntil: first.claimedUntil };
  await releaseDeliveries(ctx, rows);
  await holdDeliveries(ctx, rows);
  await deadLetterUnsent(ctx, rows, 'webhook_disabled');
  expect(await claimDeliveries(ctx, endpointId, eventIds, 1_000_000)).toMatchObject({ deliveries: [] });
  expect(await states()).toEqual(['pending', 'pending']);
  await releaseDeliveries(ctx, { ...rows, claimedUntil: second.claimedUntil });
  expect((await claimDeliveries(ctx, endpointId, eventIds, 1_000_000)).deliveries).toHaveLength(2);
});
