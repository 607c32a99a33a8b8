import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Send } from '@eas/contracts';
import { contextInTransaction, maxConsumeAttempts, requeueEvents, type UseCaseContext } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { consumeBatch, createConsumerParts } from './consume-batch.ts';
import { appendPullRequests, appendReceipts, createEffects, effectCounts, recordEffects } from './consumer.fixture.ts';
import { consumeEvents, type ConsumerTraits, type EventHandler } from './handlers.ts';
import { noQueueMetrics } from '../backends/queue-metrics.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
beforeAll(() => createEffects(test.context()));
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
});

const parts = () => createConsumerParts(noQueueMetrics);
const readPending = () =>
  ctx.db.query<{ eventId: string; attempts: number; error: string | null; isDead: boolean }>(
    `SELECT event_id AS "eventId", attempts, last_error AS error, dead_at IS NOT NULL AS "isDead"
     FROM outbox WHERE tenant_id = $1 ORDER BY event_id`,
    [ctx.tenantId],
  );
const receipts = (count: number) => Array.from({ length: count }, (_, index) => `receipt ${index}`);

describe('an event that ends the process of its worker', () => {
  it('is dead after eleven tries at most, and neither delays nor fails the events of the same job', async () => {
    const ids = await appendReceipts(ctx, ['before', 'deadly', 'after']);
    const script = join(import.meta.dirname, 'deadly-worker.fixture.ts');
    const work = (isAgain: boolean) => {
      const options = { databaseUrl: test.url, tenantId: ctx.tenantId, eventIds: ids, isAgain };
      return spawnSync(process.execPath, [script, JSON.stringify(options)], { stdio: 'ignore' }).signal;
    };
    const signals = [work(false)];
    while (signals.at(-1) === 'SIGKILL' && signals.length < 20) signals.push(work(true));

    expect(signals).toEqual([...Array<string>(1 + maxConsumeAttempts).fill('SIGKILL'), null]);
    expect(await readPending()).toEqual([
      { eventId: ids[1], attempts: 10, error: expect.stringContaining('the process died'), isDead: true },
    ]);
    expect(await effectCounts(ctx)).toMatchObject(
      new Map([
        [ids[0], 1],
        [ids[2], 1],
      ]),
    );
  });
});

describe('first tries of a tenant', () => {
  it('that arrive while others are processed share a transaction, and their follow-up jobs are sent once', async () => {
    const ids = await appendReceipts(ctx, receipts(12));
    const [first = '', second = '', ...others] = ids;
    const finish = Promise.withResolvers<void>();
    const batches: string[][] = [];
    const handle: EventHandler = async (_, events) => {
      batches.push(events.map(({ eventId }) => eventId));
      if (batches.length <= 2) await finish.promise;
      return { then: events.map(({ eventId }) => followUp(eventId)) };
    };
    const followUp = (id: string): Send => ({
      job: 'inbound.apply',
      payload: { tenant_id: ctx.tenantId, event_ids: [id] },
    });
    const [shared, consumer] = [parts(), consumeEvents('inbound.apply', handle)];
    const consume = (eventIds: string[]) => consumeBatch(ctx, consumer, { eventIds, isAgain: false }, shared);
    const jobs = [consume([first])];
    await eventually(() => batches.length === 1);
    jobs.push(consume([second]));
    await eventually(() => batches.length === 2);
    // One of them comes twice.
    for (const id of [...others, ...others.slice(0, 1)]) {
      jobs.push(consume([id]));
      await setImmediate();
    }
    finish.resolve();
    const sends = (await Promise.all(jobs)).flat();
    expect(batches).toEqual([[first], [second], others]);
    expect(sends).toEqual(ids.map(followUp));
    expect(await readPending()).toEqual([]);
  });

  it('fail individually, even if they were processed together', async () => {
    const ids = await appendReceipts(ctx, ['good 1', 'bad', 'good 2']);
    const [shared, consumer] = [parts(), consumeEvents('inbound.apply', recordEffects)];
    await Promise.all(ids.map((id) => consumeBatch(ctx, consumer, { eventIds: [id], isAgain: false }, shared)));
    expect(await readPending()).toMatchObject([{ eventId: ids[1], error: 'cannot apply bad' }]);
    expect((await effectCounts(ctx)).get(ids[2] ?? '')).toBe(1);
  });

  it('of another tenant or consumer do not wait for them', async () => {
    const other = test.context({ tenantId: await test.createTenant() });
    const [[mine = ''], [theirs = '']] = [await appendReceipts(ctx, ['a']), await appendReceipts(other, ['b'])];
    const finish = Promise.withResolvers<void>();
    const shared = parts();
    const slow = consumeEvents('inbound.apply', () => finish.promise);
    const held = consumeBatch(ctx, slow, { eventIds: [mine], isAgain: false }, shared);
    await consumeBatch(
      other,
      consumeEvents('inbound.apply', recordEffects),
      { eventIds: [theirs], isAgain: false },
      shared,
    );
    expect((await effectCounts(other)).get(theirs)).toBe(1);
    finish.resolve();
    await held;
  });
});

describe('a job of events', () => {
  const consume = (eventIds: string[], handle: EventHandler, { isAgain = false, ...traits }: Options = {}) =>
    consumeBatch(ctx, consumeEvents('inbound.apply', handle, traits), { eventIds, isAgain }, parts());
  type Options = ConsumerTraits & { isAgain?: boolean };

  it('that is delivered again has its try counted once, before the handler is called', async () => {
    const [eventId = ''] = await appendReceipts(ctx, ['one']);
    let before: unknown;
    const fail: EventHandler = async () => {
      before = await readPending();
      throw new Error('no');
    };
    await consume([eventId], fail, { isAgain: true });
    expect(before).toMatchObject([{ attempts: 1 }]);
    expect(await readPending()).toMatchObject([{ attempts: 1, error: 'no', isDead: false }]);
    await consume([eventId], fail, { isAgain: true });
    expect(await readPending()).toMatchObject([{ attempts: 2 }]);
  });

  it.each([
    ['of a first try', false],
    ['that comes again', true],
  ])('%s counts no try while the database cannot serve it, however long that is', async (_, isAgain) => {
    const ids = await appendReceipts(ctx, ['one', 'two']);
    const batches: number[] = [];
    const locked = Object.assign(new Error('lock timeout'), { code: '55P03' });
    for (let time = 1; time <= 2 * maxConsumeAttempts; time += 1) {
      const fail: EventHandler = async (_ctx, events) => {
        batches.push(events.length);
        throw locked;
      };
      await consume(ids, fail, { isAgain });
    }
    // Not one by one: the events are not the cause.
    expect(batches).toEqual(Array(2 * maxConsumeAttempts).fill(2));
    const waiting = { attempts: 0, isDead: false, error: locked.message };
    expect(await readPending()).toMatchObject([waiting, waiting]);
    await consume(ids, recordEffects, { isAgain });
    expect(await readPending()).toEqual([]);
  });

  it('processes events of lost tries alone, one at a time in the process, after the others', async () => {
    const ids = await appendReceipts(ctx, receipts(4));
    await ctx.db.query('UPDATE outbox SET attempts = 2 WHERE tenant_id = $1 AND event_id = ANY ($2)', [
      ctx.tenantId,
      ids.slice(0, 2),
    ]);
    const batches: string[][] = [];
    await consume(ids, async (_, events) => void batches.push(events.map(({ eventId }) => eventId)), { isAgain: true });
    expect(batches).toEqual([ids.slice(2), [ids[0]], [ids[1]]]);
    expect(await readPending()).toEqual([]);
  });

  it('postpones events that its consumer cannot process yet, without counting a try', async () => {
    const ids = await appendReceipts(ctx, receipts(3));
    await consume(ids, async () => ({ again: ids.slice(1) }));
    expect(await readPending()).toEqual(
      ids.slice(1).map((eventId) => ({ eventId, attempts: 0, error: null, isDead: false })),
    );
    const sql = `SELECT count(*)::int AS waiting FROM outbox JOIN events USING (tenant_id, event_id)
      WHERE tenant_id = $1 AND sent_at IS NULL AND available_at >= occurred_at + interval '240 milliseconds'`;
    expect(await ctx.db.query(sql, [ctx.tenantId])).toEqual([{ waiting: 2 }]);
    await consume(ids, async () => {});
    expect(await readPending()).toEqual([]);
  });

  it('is processed in batches bounded by what they read, each in a transaction of its own', async () => {
    const ids = await appendReceipts(ctx, receipts(5));
    const bytes = [400_000, 600_000, 300_000, 3_000_000, 1];
    const sizes = async () => new Map(ids.map((id, index) => [id, bytes[index] ?? 0]));
    const batches: string[][] = [];
    const handle: EventHandler = async (_, events) => void batches.push(events.map(({ eventId }) => eventId));
    await consume(ids, handle, { sizes });
    expect(batches).toEqual([ids.slice(0, 2), ids.slice(2, 3), ids.slice(3, 4), ids.slice(4)]);
  });

  it('is bounded by the data of its events if the consumer returns no other sizes', async () => {
    const ids = await appendPullRequests(ctx, 12);
    await ctx.inTransaction((tx) => requeueEvents(tx, 'event.fan_out', { eventIds: ids, afterMs: 0 }));
    await ctx.db.query(
      `UPDATE events SET data = json_build_object('title', repeat('x', 300000)) WHERE tenant_id = $1 AND event_id = ANY ($2)`,
      [ctx.tenantId, ids],
    );
    const counts: number[] = [];
    const consumer = consumeEvents('event.fan_out', async (_, events) => void counts.push(events.length));
    await consumeBatch(ctx, consumer, { eventIds: ids, isAgain: false }, parts());
    expect(counts).toEqual([3, 3, 3, 3]);
  });

  it('stores what its consumer records for an event that is given up, and marks the row as dead even if that fails', async () => {
    const ids = await appendReceipts(ctx, ['one', 'two']);
    await ctx.db.query('UPDATE outbox SET attempts = 9 WHERE tenant_id = $1', [ctx.tenantId]);
    const left: string[] = [];
    const giveUp: ConsumerTraits['giveUp'] = async (within, event) => {
      await within.inTransaction((tx) => contextInTransaction(within, tx).db.query('SELECT 1'));
      left.push(event.eventId);
      if (event.eventId === ids[1]) await within.db.query('SELECT no_such_column');
    };
    await consume(
      ids,
      async () => {
        throw new Error('never');
      },
      { giveUp },
    );
    expect(left).toEqual(ids);
    expect(await readPending()).toMatchObject([
      { attempts: 10, isDead: true },
      { attempts: 10, isDead: true },
    ]);
  });
});
