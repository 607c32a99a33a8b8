import type { StoredEvent, TaskFacts } from '@eas/contracts';
import { pagesFetchedBy, useTestDatabase } from '@eas/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { maxConsumeAttempts, postponePendingEvent, readEventSizes, takePendingEvents } from './consume.ts';
import type { UseCaseContext } from './context.ts';
import { append } from './transactions/outbox.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
});

const factsOf = (version: number): TaskFacts => ({
  version,
  role: null,
  status: 'open',
  created_at: '2026-11-20T10:00:00Z',
  due_date: null,
  first_claimed_at: null,
  completed_at: null,
  code_quality: null,
  requirements_clarity: null,
});
/** Appends public events that run.advance consumes. */
const appendUpdates = (count: number) =>
  ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, (_, n) =>
      append(tx, {
        type: 'task.updated',
        at: new Date(Date.parse('2026-11-20T10:00:00Z') + n),
        data: { task_id: `tsk_${n}`, title: 't', from: 'open', to: 'open', changed: [] },
        facts: { ...factsOf(n), run_id: 'run_1' },
      }),
    ),
  );
/** Appends public events that facts.record consumes. */
const appendFailures = (count: number) =>
  ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, (_, n) =>
      append(tx, {
        type: 'task.failed',
        at: new Date(),
        data: { task_id: `tsk_${n}`, title: 't', reason: 'r' },
        facts: factsOf(n),
      }),
    ),
  );
const take = (eventIds: readonly string[], within: UseCaseContext = ctx) =>
  within.inTransaction((tx) => takePendingEvents(tx, 'run.advance', eventIds));
const idsOf = (events: StoredEvent[]) => events.map(({ eventId }) => eventId);
const readPending = async (eventId: string) =>
  ctx.db.query<{ consumer: string; attempts: number; isDead: boolean; waitSeconds: number }>(
    `SELECT consumer, attempts, dead_at IS NOT NULL AS "isDead",
            extract(epoch FROM available_at - app_now())::float AS "waitSeconds"
     FROM outbox WHERE tenant_id = $1 AND event_id = $2 ORDER BY consumer`,
    [ctx.tenantId, eventId],
  );

describe('the public events of a transaction', () => {
  it('are numbered by one outbox row for each twenty, whatever consumes them', async () => {
    const ids = await appendUpdates(45);
    const rows = await ctx.db.query<{ eventId: string; eventIds: string[] }>(
      `SELECT event_id AS "eventId", event_ids AS "eventIds" FROM outbox
       WHERE tenant_id = $1 AND consumer = 'event.number' ORDER BY event_id`,
      [ctx.tenantId],
    );
    const parts = [ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)];
    expect(rows).toEqual(parts.map((eventIds) => ({ eventId: eventIds[0], eventIds })));
  });
});

describe('the pending events of a consumer', () => {
  it('are due at once, or, if no one awaits their result, with all of the same half second', async () => {
    const ids = await appendFailures(2);
    const rows = await ctx.db.query<{ consumer: string; dueMs: number; now: Date }>(
      `SELECT consumer, (extract(epoch FROM available_at) * 1000)::float8 AS "dueMs", app_now() AS now
       FROM outbox WHERE tenant_id = $1 AND event_id = ANY ($2)`,
      [ctx.tenantId, ids],
    );
    const dueOf = (one: string) => rows.filter(({ consumer }) => consumer === one).map(({ dueMs }) => dueMs);
    const now = rows[0]?.now.getTime() ?? 0;
    expect(dueOf('event.number').filter((due) => due <= now)).toHaveLength(1);
    expect(dueOf('facts.record').filter((due) => due % 500 === 0 && due <= now + 500)).toHaveLength(2);
  });

  it('are read by their key, even with a plan that was made while the month was new', async () => {
    await ctx.db.query('ANALYZE events');
    const scope = { database: test.database, tenantId: ctx.tenantId };
    const few: string[] = [];
    const pages = await pagesFetchedBy(scope, async (tx) => {
      const read = async (ids: readonly string[]) => [
        await readEventSizes(tx, ids),
        await takePendingEvents(tx, 'run.advance', ids),
      ];
      await read([]);
      for (let n = 0; n < 10; n += 1) few.push(...(await appendUpdates(2_000)).slice(-1));
      expect((await read(few)).map((found) => ('size' in found ? found.size : found.length))).toEqual([10, 10]);
    });
    expect(pages['events']).toBeLessThan(few.length * 2 * 5 * 3);
  });
});

describe('taking the pending events of a consumer', () => {
  it('commits without waiting for the disk', async () => {
    const [id = ''] = await appendUpdates(1);
    const during = ctx.inTransaction(async (tx) => {
      await tx.db.query('SET LOCAL synchronous_commit = on');
      await takePendingEvents(tx, 'run.advance', [id]);
      return tx.db.query('SHOW synchronous_commit');
    });
    expect(await during).toEqual([{ synchronous_commit: 'off' }]);
  });

  it('returns the events oldest first, as they were stored, and deletes only the rows of that consumer', async () => {
    const ids = await appendUpdates(3);
    const events = await take([...ids].reverse());
    expect(idsOf(events)).toEqual(ids);
    expect(events[1]).toMatchObject({
      type: 'task.updated',
      occurredAt: new Date('2026-11-20T10:00:00.001Z'),
      data: { task_id: 'tsk_1' },
      facts: { version: 1, status: 'open' },
    });
    expect(JSON.parse(events[1]?.dataText ?? '')).toEqual(events[1]?.data);
    expect((await readPending(ids[0] ?? '')).map(({ consumer }) => consumer)).toEqual(['event.number']);
  });

  it('returns nothing the second time', async () => {
    const ids = await appendUpdates(2);
    await take(ids);
    expect(await take(ids)).toEqual([]);
  });

  it('returns them again when the transaction of the effect fails', async () => {
    const ids = await appendUpdates(2);
    const failing = ctx.inTransaction(async (tx) => {
      expect(await takePendingEvents(tx, 'run.advance', ids)).toHaveLength(2);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(idsOf(await take(ids))).toEqual(ids);
  });

  it('returns each event to only one of many concurrent jobs', async () => {
    const ids = await appendUpdates(40);
    const overlapping = Array.from({ length: 12 }, (_, n) => [...ids.slice(n * 3), ...ids.slice(0, n * 3)]);
    const taken = await Promise.all(overlapping.map((batch) => take(batch)));
    expect(taken.flatMap(idsOf).sort()).toEqual(ids);
  });

  it('skips rows that another transaction is taking, without waiting for it', async () => {
    const ids = await appendUpdates(3);
    await ctx.inTransaction(async (tx) => {
      await takePendingEvents(tx, 'run.advance', ids.slice(0, 1));
      expect(idsOf(await take(ids))).toEqual(ids.slice(1));
    });
  });

  it('ignores events of another tenant and unknown ids', async () => {
    const ids = await appendUpdates(1);
    const stranger = test.context({ tenantId: await test.createTenant() });
    expect(await take(ids, stranger)).toEqual([]);
    expect(await take(['evt_nothing'])).toEqual([]);
    expect(await take([])).toEqual([]);
    expect(idsOf(await take(ids))).toEqual(ids);
  });
});

describe('a consumer that fails on an event', () => {
  beforeAll(() => test.stopClock());
  it('gets it again after 1, 2, 4 … seconds, until it is dead: stored, but not returned any more', async () => {
    const [eventId = ''] = await appendUpdates(1);
    for (let attempt = 1; attempt <= maxConsumeAttempts; attempt += 1) {
      const outcome = await postponePendingEvent(ctx, 'run.advance', eventId, { error: `failure ${attempt}` });
      expect(outcome).toBe(attempt === maxConsumeAttempts ? 'dead' : 'postponed');
      const row = (await readPending(eventId)).find(({ consumer }) => consumer === 'run.advance');
      expect(row).toMatchObject({ attempts: attempt, isDead: attempt === maxConsumeAttempts });
      const expectedSeconds = Math.min(300, 2 ** (attempt - 1));
      expect(Math.abs((row?.waitSeconds ?? 0) - expectedSeconds)).toBeLessThan(1);
    }
    expect(await take([eventId])).toEqual([]);
    expect(await readPending(eventId)).toHaveLength(2);
  });

  it('does not affect other consumers of the event, and truncates a long error', async () => {
    const [eventId = ''] = await appendUpdates(1);
    await postponePendingEvent(ctx, 'run.advance', eventId, { error: 'x'.repeat(5_000) });
    const rows = await ctx.db.query<{ attempts: number; size: number | null }>(
      'SELECT attempts, length(last_error) AS size FROM outbox WHERE event_id = $1 ORDER BY consumer',
      [eventId],
    );
    expect(rows).toEqual([
      { attempts: 0, size: null },
      { attempts: 1, size: 1_000 },
    ]);
  });
});
