import { createSecretBox } from '@eas/core';
import { append, type UseCaseContext } from '@eas/db';
import { createDestinationPaces, type OutboundResult } from '@eas/outbound';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { changeEndpoint } from '../endpoints/change-endpoint.ts';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { rotateSecret } from '../endpoints/rotate-secret.ts';
import { attemptsOf, deliveryStates } from '../../test/delivery-states.ts';
import { fanOut } from '../deliveries/fan-out.ts';
import { fanOutComments, makeEndpoint, secret } from '../deliveries/delivery.fixture.ts';
import { sweepDueDeliveries } from '../deliveries/delivery.sweeper.ts';
import type { DeliveryObserver } from './delivery-observer.ts';
import { createLeftBehind } from '../deliveries/left-behind.ts';
import { type DeliverySending, sendDeliveries, type SendingSlots } from './send-deliveries.ts';

const db = useTestDatabase();
const egress = createLoopbackEgress();
const impatient = createLoopbackEgress({ headersTimeoutMs: 400 });
/** With headers that have their time. */
const impatientOfBodies = createLoopbackEgress({ bodyTimeoutMs: 400 });
const sending = { send: egress.send, retry: { scheduleMs: [5_000, 300_000], random: () => 0 } };
let sink: WebhookSink;
let ctx: UseCaseContext;
let endpointId = '';

/** Fans events out and gives the payload of the job that sends them. */
async function prepare(count = 1) {
  const { eventIds } = await fanOutComments(ctx, count);
  return { tenant_id: ctx.tenantId, endpoint_id: endpointId, event_ids: eventIds };
}
/** A success that shows that the endpoint is up. */
async function deliverAnother() {
  sink.respondWith({ status: 200 });
  await sendDeliveries(ctx, await prepare(), sending);
  sink.respondWith({ status: 503, body: 'not now\0' });
}
const waitingForLocks = async () =>
  (await ctx.db.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`))
    .length;
const states = () => deliveryStates(ctx, endpointId);
const state = async () => (await states())[0];

beforeAll(async () => {
  sink = await startWebhookSink();
  // How long a delivery still waits does not depend on how long a test takes.
  await db.stopClock();
});
afterAll(async () => {
  await egress.close();
  await impatient.close();
  await impatientOfBodies.close();
  await sink.close();
});
beforeEach(async () => {
  ctx = db.context({ tenantId: await db.createTenant() });
  sink.requests.length = 0;
  sink.respondWith({ status: 200 });
  endpointId = await makeEndpoint(ctx, `${sink.url}/hook`);
});
afterEach(() => db.shiftClock(0));

describe('sending deliveries', () => {
  it('sends the headers of the endpoint, and signs with both secrets after a rotation', async () => {
    const next = 'the next secret of this endpoint';
    const headers = { Authorization: 'Bearer of the receiver', 'X-Team': 'a b' };
    const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };
    await changeEndpoint(ctx, { id: endpointId, ifMatch: undefined, body: { headers }, scopes: [] }, rules);
    await rotateSecret(ctx, { id: endpointId, ifMatch: undefined, secret: next }, rules);
    await sendDeliveries(ctx, await prepare(), sending);
    await db.shiftClock(24 * 3_600);
    await sendDeliveries(ctx, await prepare(), sending);
    const [during, after] = sink.requests;
    if (!during || !after) throw new Error('two requests were expected');
    expect(during.headers).toMatchObject({ authorization: 'Bearer of the receiver', 'x-team': 'a b' });
    const accepts = (key: string, { body, headers: sent }: typeof during) => {
      const webhook = new Webhook(Buffer.from(key), { format: 'raw' });
      // The clock of the database runs ahead of the verifier's.
      const signedAt = new Date(Number(sent['webhook-timestamp']) * 1_000);
      const expected = webhook.sign(sent['webhook-id'] ?? '', signedAt, body.toString());
      return (sent['webhook-signature'] ?? '').split(' ').includes(expected);
    };
    expect([accepts(next, during), accepts(secret, during)]).toEqual([true, true]);
    expect([accepts(next, after), accepts(secret, after)]).toEqual([true, false]);
    new Webhook(Buffer.from(secret), { format: 'raw' }).verify(during.body, during.headers);
    expect(await verify(next, during.body.toString(), during.headers['x-service-signature'] ?? '')).toBe(true);
  });

  it('delivers once, signed so that foreign verifiers agree', async () => {
    const job = await prepare();
    await sendDeliveries(ctx, job, sending);
    await sendDeliveries(ctx, job, sending);
    expect(sink.requests).toHaveLength(1);
    const [request] = sink.requests;
    const { headers = {}, body = Buffer.alloc(0) } = request ?? {};
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': job.event_ids[0] });
    expect(JSON.parse(body.toString())).toEqual({
      event_type: 'task.commented',
      event_id: job.event_ids[0],
      timestamp: expect.stringMatching(/Z$/),
      data: { task_id: 'tsk_1', title: 'Größe 0', content: '<b>"\u2028', author: 'key_1' },
    });
    expect(await verify(secret, body.toString(), String(headers['x-service-signature']))).toBe(true);
    new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, headers);
    expect(await state()).toEqual({ status: 'delivered', attempts: 1, waitMs: null, isInHand: false });
    expect(await attemptsOf(ctx, endpointId)).toMatchObject([
      { number: 1, status: 200, outcome: 'delivered', error: null },
    ]);
  });

  it('sends once although several workers have the job at the same time', async () => {
    const job = await prepare(20);
    sink.respondWith({ status: 200, delayMs: 20 });
    await Promise.all([1, 2, 3, 4].map(() => sendDeliveries(ctx, job, sending)));
    expect(sink.requests).toHaveLength(20);
    expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
    expect((await states()).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('retries a 503 when its wait is over, keeping the webhook-id and the bytes, until the tries are used up', async () => {
    const job = await prepare();
    sink.respondWith({ status: 503, body: 'not now\0' });
    await sendDeliveries(ctx, job, sending);
    expect(await state()).toMatchObject({ status: 'pending', attempts: 1, isInHand: false });
    expect((await state())?.waitMs).toBeGreaterThan(4_000);
    await sendDeliveries(ctx, job, sending);
    expect(sink.requests).toHaveLength(1);
    await db.shiftClock(6);
    await sendDeliveries(ctx, job, sending);
    expect((await state())?.waitMs).toBeGreaterThan(299_000);
    await db.shiftClock(400);
    await deliverAnother();
    await sendDeliveries(ctx, job, sending);
    expect(await state()).toEqual({ status: 'dead', attempts: 3, waitMs: null, isInHand: false });
    const ofJob = sink.requests.filter(({ headers }) => headers['webhook-id'] === job.event_ids[0]);
    expect(ofJob).toHaveLength(3);
    expect(new Set(ofJob.map(({ body }) => body.toString())).size).toBe(1);
    const attempts = (await attemptsOf(ctx, endpointId)).filter(({ eventId }) => eventId === job.event_ids[0]);
    expect(attempts.map(({ number, outcome, response }) => [number, outcome, response])).toEqual(
      [1, 2, 3].map((number) => [number, 'http_5xx', 'not now\uFFFD']),
    );
  });

  it('takes a redirect as a failure and does not follow it', async () => {
    sink.respondWith({ status: 302, headers: { location: `${sink.url}/other` } });
    await sendDeliveries(ctx, await prepare(), sending);
    expect(sink.requests.map(({ path }) => path)).toEqual(['/hook']);
    expect(await state()).toMatchObject({ status: 'pending', attempts: 1 });
  });

  it('disables an endpoint that responds with 410 and ends what waits for it', async () => {
    const gone = await prepare();
    const later = await prepare(2);
    sink.respondWith({ status: 410 });
    await sendDeliveries(ctx, gone, sending);
    expect(await getEndpoint(ctx, endpointId)).toMatchObject({ body: { status: 'disabled', status_reason: 'gone' } });
    await sendDeliveries(ctx, later, sending);
    expect(sink.requests).toHaveLength(1);
    expect((await states()).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['dead', 1],
      ['dead', 0],
      ['dead', 0],
    ]);
  });

  it.each([
    ['hangs', { kind: 'hang' as const }, impatient, 'timeout_headers', 59_000],
    ['drips its body', { kind: 'endless' as const, bytes: 1, everyMs: 10 }, impatientOfBodies, 'timeout_body', 59_000],
    ['breaks the connection', { kind: 'reset' as const }, egress, 'reset', 4_000],
  ])('waits and tries again when the receiver %s', async (_name, result, { send }, outcome, waitMs) => {
    sink.respondWith(result);
    await sendDeliveries(ctx, await prepare(), { ...sending, send });
    expect(await state()).toMatchObject({ status: 'pending', attempts: 1 });
    expect((await state())?.waitMs).toBeGreaterThan(waitMs);
    expect(await attemptsOf(ctx, endpointId)).toMatchObject([{ status: null, outcome, error: expect.any(String) }]);
  });

  it('cuts a huge response and counts its status', async () => {
    sink.respondWith({ status: 200, body: Buffer.alloc(3_000_000, 'y') });
    await sendDeliveries(ctx, await prepare(), sending);
    expect(await state()).toMatchObject({ status: 'delivered' });
    expect((await attemptsOf(ctx, endpointId))[0]?.response).toHaveLength(16_384);
  });

  it('never reaches a private address that the settings do not open', async () => {
    const closed = createLoopbackEgress({ allowedCidrs: [] });
    await sendDeliveries(ctx, await prepare(), { ...sending, send: closed.send });
    await closed.close();
    expect(sink.requests).toEqual([]);
    expect(await attemptsOf(ctx, endpointId)).toMatchObject([{ outcome: 'blocked_target' }]);
  });

  it('records a failed attempt when the secret does not open, and goes on to the next wait', async () => {
    const job = await prepare(2);
    const secrets = createSecretBox([Buffer.alloc(32, 7).toString('base64')]);
    await sendDeliveries({ ...ctx, secrets }, job, sending);
    expect(sink.requests).toEqual([]);
    expect(await states()).toEqual(
      Array(2).fill({ status: 'pending', attempts: 1, waitMs: expect.any(Number), isInHand: false }),
    );
    expect(await attemptsOf(ctx, endpointId)).toMatchObject([
      { number: 1, status: null, outcome: 'secret' },
      { number: 1, status: null, outcome: 'secret' },
    ]);
  });

  it('sends at most ten at a time and all of them', async () => {
    const calm = await startWebhookSink();
    calm.respondWith({ status: 200, delayMs: 30 });
    endpointId = await makeEndpoint(ctx, calm.url, ['task.commented']);
    await sendDeliveries(ctx, await prepare(35), sending);
    expect(calm.requests).toHaveLength(35);
    expect(calm.maxOpen()).toBeLessThanOrEqual(10);
    await calm.close();
    expect((await states()).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('waits for a sweep that reads its deliveries, instead of leaving them without a worker', async () => {
    const job = await prepare(3);
    const reading = Promise.withResolvers<void>();
    const hasRead = Promise.withResolvers<void>();
    const sweep = ctx.inTransaction(async (tx) => {
      await tx.db.query('SELECT FROM deliveries WHERE tenant_id = $1 FOR NO KEY UPDATE', [ctx.tenantId]);
      reading.resolve();
      await hasRead.promise;
    });
    await reading.promise;
    const sent = sendDeliveries(ctx, job, sending);
    await eventually(async () => (await waitingForLocks()) > 0);
    hasRead.resolve();
    await Promise.all([sweep, sent]);
    expect(sink.requests).toHaveLength(3);
  });

  it('continues with the backlog of an endpoint after a full job', async () => {
    const first = await prepare(230);
    const { then } = await sendDeliveries(ctx, { ...first, event_ids: first.event_ids.slice(0, 50) }, sending);
    expect(then).toEqual([{ job: 'delivery.send', payload: { ...first, event_ids: first.event_ids.slice(200) } }]);
  });

  it('reads at most the payloads of one job, and leaves the others to the next job', async () => {
    const content = 'x'.repeat(60_000);
    const eventIds = await ctx.inTransaction(async (tx) =>
      Array.from({ length: 30 }, () => {
        const data = { task_id: 'tsk_1', title: 't', content, author: 'key_1' };
        return append(tx, { type: 'task.commented', at: ctx.clock.now(), data, facts: null });
      }),
    );
    await fanOut(
      ctx,
      eventIds.map((eventId) => ({ eventId, type: 'task.commented' })),
    );
    const job = { tenant_id: ctx.tenantId, endpoint_id: endpointId, event_ids: eventIds };
    const { then } = await sendDeliveries(ctx, job, sending);
    const sent = sink.requests.length;
    expect(sent * content.length).toBeLessThan(1.1 * 1_048_576);
    expect(then).toEqual([{ job: 'delivery.send', payload: { ...job, event_ids: eventIds.slice(sent) } }]);
    await sendDeliveries(ctx, { ...job, event_ids: eventIds.slice(sent) }, sending);
    expect(sink.requests).toHaveLength(30);
  });

  it('logs failures once per job, and reports the result of each attempt', async () => {
    const warn = jest.fn();
    const seen: unknown[] = [];
    const causes: string[] = [];
    const tenants = new Set<string>();
    const observer: DeliveryObserver = {
      onStart: (cause) => void causes.push(cause),
      onAttempt({ tenantId, outcome, end }) {
        tenants.add(tenantId);
        seen.push([outcome, end]);
      },
      onDelivered: (latencyMs) => void seen.push(latencyMs >= 0),
      onPutOff: (count) => void seen.push(count),
    };
    const logged = { ...ctx, logger: { ...ctx.logger, warn } };
    sink.respondWith({ status: 503 });
    await sendDeliveries(logged, await prepare(3), { ...sending, observer });
    expect(warn.mock.calls).toEqual([
      [{ tenantId: ctx.tenantId, endpointId, count: 3, dead: 0, attempt: 1, status: 503 }, 'deliveries failed'],
    ]);
    sink.respondWith({ status: 200 });
    await sendDeliveries(logged, await prepare(), { ...sending, observer });
    const failed = ['http_5xx', 'pending'];
    expect(causes).toEqual(['queue', 'queue', 'queue', 'queue']);
    expect(seen).toEqual([failed, failed, failed, ['delivered', 'delivered'], true]);
    expect([...tenants]).toEqual([ctx.tenantId]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  describe('in slots', () => {
    const putOff: [number, string][] = [];
    const observer: DeliveryObserver = {
      onStart() {},
      onAttempt() {},
      onDelivered() {},
      onPutOff: (count, reason) => void putOff.push([count, reason]),
    };
    const [full, free] = [{ enter: async () => undefined }, { enter: async () => () => {} }];
    const inSlots = (slots: Partial<SendingSlots>): DeliverySending => ({
      ...sending,
      observer,
      slots: { first: full, again: full, paces: createDestinationPaces(4), leftBehind: createLeftBehind(), ...slots },
    });
    beforeEach(() => void (putOff.length = 0));

    it('postpones deliveries to a later job when its tenant has its share of the slots', async () => {
      const job = await prepare(2);
      expect(await sendDeliveries(ctx, job, inSlots({}))).toEqual({ then: [] });
      expect([putOff, sink.requests.length]).toEqual([[[2, 'tenant_share']], 0]);
      await sendDeliveries(ctx, job, inSlots({ first: free }));
      expect(sink.requests).toHaveLength(2);
    });

    it('continues with what a fan-out just left to the running jobs', async () => {
      const leftBehind = createLeftBehind();
      const first = await prepare(2);
      const slots = inSlots({ first: free, leftBehind });
      expect(await sendDeliveries(ctx, first, slots)).toEqual({ then: [] });
      const { eventIds } = await fanOutComments(ctx, 250, leftBehind);
      const small = { ...first, event_ids: eventIds.slice(0, 1) };
      const { then } = await sendDeliveries(ctx, small, slots);
      expect(then).toMatchObject([{ payload: { event_ids: eventIds.slice(200) } }]);
    });

    it('retries have slots of their own', async () => {
      const job = { ...(await prepare()), is_again: true };
      await sendDeliveries(ctx, job, inSlots({ first: free }));
      expect(putOff).toEqual([[1, 'tenant_share']]);
      await sendDeliveries(ctx, job, inSlots({ again: free }));
      expect(sink.requests).toHaveLength(1);
    });

    it('a slow endpoint shares these slots, a few jobs at a time', async () => {
      const paces = createDestinationPaces(4);
      for (const _ of [1, 2]) paces.tryEnter(endpointId)?.([{ durationMs: 10_000 }]);
      await sendDeliveries(ctx, await prepare(), inSlots({ first: free, paces }));
      expect(putOff).toEqual([[1, 'tenant_share']]);
      const leave = paces.tryEnter(endpointId);
      await sendDeliveries(ctx, await prepare(), inSlots({ again: free, paces }));
      expect(putOff).toEqual([
        [1, 'tenant_share'],
        [1, 'endpoint_slow'],
      ]);
      leave?.([]);
      await sendDeliveries(ctx, await prepare(), inSlots({ again: free, paces }));
      expect(sink.requests).toHaveLength(1);
    });
  });

  it('is continued by another worker when one died', async () => {
    const job = await prepare(3);
    const called = Promise.withResolvers<void>();
    const dies: DeliverySending = { ...sending, send: () => (called.resolve(), new Promise(() => {})) };
    void sendDeliveries(ctx, job, dies);
    await called.promise;
    await sendDeliveries(ctx, job, sending);
    await db.shiftClock(31);
    const rescued = await db.database.inTransaction('', sweepDueDeliveries);
    expect(rescued).toContainEqual({ job: 'delivery.send', payload: job });
    await sendDeliveries(ctx, job, sending);
    expect(sink.requests).toHaveLength(3);
    expect((await states()).every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(true);
  });

  it('releases everything when it is asked to stop, without counting an attempt', async () => {
    const stop = new AbortController();
    const stopping = db.context({ tenantId: ctx.tenantId, signal: stop.signal });
    const sealed = { ...stopping, secrets: ctx.secrets };
    sink.respondWith({ kind: 'hang' });
    const job = await prepare(15);
    const running = sendDeliveries(sealed, job, sending);
    await sink.received(10);
    stop.abort();
    await running;
    expect(await attemptsOf(ctx, endpointId)).toEqual([]);
    expect(
      (await states()).every(({ status, attempts, isInHand }) => status === 'pending' && attempts === 0 && !isInHand),
    ).toBe(true);
  });

  it('records one of two results when a claim ran out under a slow worker', async () => {
    const job = await prepare();
    const called = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<OutboundResult>();
    const slow: DeliverySending = { ...sending, send: () => (called.resolve(), finish.promise) };
    const late = sendDeliveries(ctx, job, slow);
    await called.promise;
    await db.shiftClock(31);
    await sendDeliveries(ctx, job, sending);
    finish.resolve({ kind: 'failure', reason: 'timeout_headers', message: 'late', durationMs: 31_000 });
    await late;
    expect(await state()).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await attemptsOf(ctx, endpointId)).toMatchObject([{ outcome: 'delivered' }]);
  });
});
