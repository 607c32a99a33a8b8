import type { Consumer } from '@eas/contracts';
import { moveEventCursor, requeueEvents, type UseCaseContext } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noQueueMetrics } from '../backends/queue-metrics.ts';
import { numberEvents } from '../relaying/numbers.sweeper.ts';
import { wakeFollowers } from '../relaying/followers.sweeper.ts';
import { consumeBatch, createConsumerParts } from './consume-batch.ts';
import { appendPullRequests, createEffects, effectCounts, recordEffects } from './consumer.fixture.ts';
import { consumeEvents, type EventHandler } from './handlers.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
beforeAll(() => createEffects(test.context()));
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  await ctx.db.query('INSERT INTO subscribed_tenants VALUES ($1)', [ctx.tenantId]);
});

const consumer = 'fan_out.follow' satisfies Consumer;
const alone = 'event.fan_out' satisfies Consumer;

/** Gives events their numbers as a round of the relay does. */
const number = (eventIds: readonly string[]) =>
  ctx.inTransaction(async (tx) => {
    const events = eventIds.map((eventId) => ({ tenantId: tx.tenantId, eventId }));
    await wakeFollowers(tx, await numberEvents(tx.db, events), () => false);
  });
const pendingOf = async (of: Consumer) => {
  const sql = 'SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = $2 ORDER BY event_id';
  return (await ctx.db.query<{ id: string }>(sql, [ctx.tenantId, of])).map(({ id }) => id);
};
const readCursor = async () => {
  const sql = 'SELECT number::int FROM event_cursors WHERE tenant_id = $1 AND consumer = $2';
  return (await ctx.db.query<{ number: number }>(sql, [ctx.tenantId, consumer]))[0]?.number;
};
/** A job with what is pending for a consumer. */
const work = async (of: Consumer, handle: EventHandler, { isAgain = false } = {}) => {
  const eventIds = await pendingOf(of);
  return consumeBatch(ctx, consumeEvents(of, handle), { eventIds, isAgain }, createConsumerParts(noQueueMetrics));
};
const effectsOf = async (ids: readonly string[]) => {
  const counts = await effectCounts(ctx);
  return ids.map((id) => counts.get(id) ?? 0);
};
/** Fails for some events, whatever they come with. */
const failingFor =
  (bad: ReadonlySet<string>): EventHandler =>
  async (inner, events) => {
    await recordEffects(inner, events);
    if (events.some(({ eventId }) => bad.has(eventId))) throw new Error('cannot apply');
  };

describe('a consumer that follows the numbers of events', () => {
  it('processes each once, those of one number after the other, and what is new the next time', async () => {
    const first = await appendPullRequests(ctx, 3);
    await number(first);
    await work(consumer, recordEffects);
    const second = await appendPullRequests(ctx, 2);
    await number(second);
    await work(consumer, recordEffects);
    expect(await effectsOf([...first, ...second])).toEqual([1, 1, 1, 1, 1]);
    expect([await readCursor(), await pendingOf(consumer)]).toEqual([5, []]);
  });

  it('begins with the first numbers that were given since its tenant subscribed', async () => {
    await ctx.db.query('DELETE FROM subscribed_tenants WHERE tenant_id = $1', [ctx.tenantId]);
    const before = await appendPullRequests(ctx, 2);
    await number(before);
    expect(await pendingOf(consumer)).toEqual([]);
    await ctx.db.query('INSERT INTO subscribed_tenants VALUES ($1)', [ctx.tenantId]);
    const after = await appendPullRequests(ctx, 2);
    await number(after);
    await work(consumer, recordEffects);
    expect(await effectsOf([...before, ...after])).toEqual([0, 0, 1, 1]);
  });

  it('is due again while another transaction reads, and moves nothing', async () => {
    const ids = await appendPullRequests(ctx, 2);
    await number(ids);
    await ctx.inTransaction(async (tx) => {
      await tx.db.query('SELECT FROM event_cursors WHERE tenant_id = $1 FOR UPDATE', [tx.tenantId]);
      await work(consumer, recordEffects);
    });
    expect([await readCursor(), await pendingOf(consumer)]).toEqual([0, ids.slice(-1)]);
    await work(consumer, recordEffects);
    expect(await effectsOf(ids)).toEqual([1, 1]);
  });

  it('reads in one job of a tenant at a time in each process, and in fewer than there were', async () => {
    const consumed: number[] = [];
    const eventsConsumed = (_consumer: string, _outcome: string, count: number) => void consumed.push(count);
    const shared = createConsumerParts({ ...noQueueMetrics, eventsConsumed });
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = consumeEvents(consumer, async () => {
      begun.resolve();
      await finish.promise;
    });
    const jobs: Promise<unknown>[] = [];
    const addJob = async () => {
      await number(await appendPullRequests(ctx, 1));
      const eventIds = await pendingOf(consumer);
      await ctx.db.query('UPDATE outbox SET sent_at = app_now() WHERE tenant_id = $1 AND sent_at IS NULL', [
        ctx.tenantId,
      ]);
      jobs.push(consumeBatch(ctx, slow, { eventIds, isAgain: false }, shared));
    };
    await addJob();
    await begun.promise;
    for (let n = 0; n < 3; n += 1) await addJob();
    finish.resolve();
    await Promise.all(jobs);
    expect([consumed, await pendingOf(consumer), await readCursor()]).toEqual([[1, 3], [], 4]);
  });

  it('leaves what fails to the consumer of single events, and processes all others', async () => {
    const ids = await appendPullRequests(ctx, 9);
    await number(ids);
    const bad = new Set([ids[4] ?? '']);
    await work(consumer, failingFor(bad));
    expect(await effectsOf(ids)).toEqual([1, 1, 1, 1, 0, 1, 1, 1, 1]);
    expect([await pendingOf(alone), await pendingOf(consumer), await readCursor()]).toEqual([[...bad], [], 9]);
  });

  it('leaves what its handler cannot process yet', async () => {
    const ids = await appendPullRequests(ctx, 3);
    await number(ids);
    await work(consumer, async (_, events) => ({ again: events.slice(0, 1).map(({ eventId }) => eventId) }));
    expect([await pendingOf(alone), await readCursor()]).toEqual([ids.slice(0, 1), 3]);
  });

  it('leaves all events to the consumer of single events after a try that may have ended its process', async () => {
    const ids = await appendPullRequests(ctx, 3);
    await number(ids);
    await work(consumer, recordEffects, { isAgain: true });
    expect([await effectsOf(ids), await pendingOf(alone), await readCursor()]).toEqual([[0, 0, 0], ids, 3]);
  });

  it('keeps its place when the database cannot serve it', async () => {
    const ids = await appendPullRequests(ctx, 2);
    await number(ids);
    const locked = Object.assign(new Error('lock timeout'), { code: '55P03' });
    await work(consumer, () => Promise.reject(locked));
    expect([await readCursor(), await pendingOf(alone), await pendingOf(consumer)]).toEqual([0, [], ids.slice(-1)]);
  });

  it('passes over events that are no longer stored, and reads a bounded number and size in each transaction', async () => {
    const ids = await appendPullRequests(ctx, 6);
    await ctx.db.query(
      `UPDATE events SET data = json_build_object('title', repeat('x', 400000)) WHERE tenant_id = $1 AND event_id = ANY ($2)`,
      [ctx.tenantId, ids],
    );
    const gone = `INSERT INTO event_numbers (tenant_id, number, event_id) SELECT $1, n, 'evt_' || n FROM generate_series(1, 1200) AS n`;
    await ctx.db.query(gone, [ctx.tenantId]);
    await ctx.db.query('INSERT INTO event_counters VALUES ($1, 1200)', [ctx.tenantId]);
    await number(ids);
    await ctx.inTransaction((tx) => moveEventCursor(tx, consumer, 0));
    const places: (number | undefined)[] = [];
    while ((await pendingOf(consumer)).length > 0) {
      await work(consumer, recordEffects);
      places.push(await readCursor());
    }
    expect(places).toEqual([1_000, 1_203, 1_206]);
    expect(await effectsOf(ids)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('has each event take effect once, whatever is numbered when, fails, or runs at the same time', async () => {
    const step = fc.record({ count: fc.integer({ min: 1, max: 4 }), jobs: fc.nat(2), isBad: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(3), async (steps, held) => {
        ctx = test.context({ tenantId: await test.createTenant() });
        await ctx.db.query('INSERT INTO subscribed_tenants VALUES ($1)', [ctx.tenantId]);
        const [all, bad, waiting]: [string[], Set<string>, string[]] = [[], new Set(), []];
        for (const { count, jobs, isBad } of steps) {
          const ids = await appendPullRequests(ctx, count);
          all.push(...ids);
          waiting.push(...ids);
          if (isBad) bad.add(ids[0] ?? '');
          if (waiting.length > held) await number(waiting.splice(0).reverse());
          await Promise.all(Array.from({ length: jobs }, () => work(consumer, failingFor(bad))));
        }
        await number(waiting);
        await eventually(async () => {
          await Promise.all([work(consumer, failingFor(bad)), work(alone, recordEffects)]);
          return (await readCursor()) === all.length && (await pendingOf(alone)).length === 0;
        });
        expect(await effectsOf(all)).toEqual(all.map(() => 1));
      }),
      { numRuns: 15 },
    );
  });

  it('cannot work without a row in event_cursors, and says so', async () => {
    const ids = await appendPullRequests(ctx, 1);
    await ctx.inTransaction((tx) => requeueEvents(tx, consumer, { eventIds: ids, afterMs: 0 }));
    await work(consumer, recordEffects);
    const sql = 'SELECT last_error AS error FROM outbox WHERE tenant_id = $1 AND consumer = $2';
    expect(await ctx.db.query(sql, [ctx.tenantId, consumer])).toEqual([
      { error: expect.stringContaining('fan_out.follow has no row in event_cursors') },
    ]);
  });
});
