import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventType, TaskFacts } from '@eas/contracts';
import { append, contextInTransaction, requeueEvents, takePendingEvents, type UseCaseContext } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import fc from 'fast-check';
import { followFacts } from './follow-facts.ts';
import { recordFacts } from './record-facts.ts';
import { readRollups, recount } from './recount.read-model.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
let number = 0;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  number = 0;
});

const at = new Date('2026-03-28T10:00:00Z');
const types = {
  created: 'task.updated',
  in_progress: 'task.started',
  completed: 'task.completed',
  failed: 'task.failed',
};
type Status = keyof typeof types;

/** Brings a task to a status, as use cases do: its row, and an event with its facts. */
async function change(taskId: string, status: Status, version: number): Promise<string> {
  const facts: TaskFacts = {
    version,
    role: 'rd',
    status,
    created_at: at.toISOString(),
    due_date: null,
    first_claimed_at: null,
    completed_at: status === 'completed' ? at.toISOString() : null,
    code_quality: null,
    requirements_clarity: null,
  };
  const details: Partial<Record<EventType, object>> = {
    'task.started': { assigned_agent: 'agt_1' },
    'task.completed': { completed_by: 'agt_1', completion_time: at.toISOString() },
    'task.failed': { reason: 'r' },
    'task.updated': { from: 'open', to: 'open', changed: [] },
  };
  const type = types[status] as EventType;
  return ctx.inTransaction(async (tx) => {
    await tx.db.query(
      `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, lease_id, created_at, updated_at, rank, completed_at)
       VALUES ($1, $2, 't', 'd', $3, 'rd', CASE WHEN $3 = 'in_progress' THEN 'lse_1' END, $4, $4, $4, CASE WHEN $3 = 'completed' THEN $4::timestamptz END)
       ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, lease_id = excluded.lease_id, completed_at = excluded.completed_at`,
      [tx.tenantId, taskId, status, at],
    );
    return append(tx, { type, at, data: { task_id: taskId, title: 't', ...details[type] }, facts } as never);
  });
}

/** Numbers events as the relay does, takes their rows for it, and makes the consumer due. */
const giveNumbers = (eventIds: readonly string[]) =>
  ctx.inTransaction(async (tx) => {
    const numbers = eventIds.map(() => (number += 1));
    await tx.db.query(
      'INSERT INTO event_numbers (tenant_id, number, event_id) SELECT $1, * FROM unnest($2::bigint[], $3::text[])',
      [tx.tenantId, numbers.map(String), eventIds],
    );
    await takePendingEvents(tx, 'event.fan_out', eventIds);
    await requeueEvents(tx, 'facts.follow', { eventIds: eventIds.slice(-1), afterMs: 0 });
  });
const pendingOf = (consumer: 'facts.follow' | 'facts.record') =>
  ctx.db.query<{ id: string }>(
    `SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = $2 ORDER BY event_id`,
    [ctx.tenantId, consumer],
  );
/** A job of the consumer with what is pending for it. */
const work = async (consumer: 'facts.follow' | 'facts.record') => {
  const ids = (await pendingOf(consumer)).map(({ id }) => id);
  return ctx.inTransaction(async (tx) => {
    const events = await takePendingEvents(tx, consumer, ids);
    if (events.length === 0) return;
    const inner = contextInTransaction(ctx, tx);
    return consumer === 'facts.follow' ? followFacts(inner, events) : recordFacts(inner, events);
  });
};
const readCursor = async () =>
  (await ctx.db.query<{ number: number }>('SELECT number FROM event_cursors WHERE tenant_id = $1', [ctx.tenantId]))[0]
    ?.number;

describe('followFacts', () => {
  it('reads each event once, and what is new the next time', async () => {
    await giveNumbers([await change('tsk_1', 'created', 1), await change('tsk_2', 'created', 1)]);
    expect(await work('facts.follow')).toEqual({ again: [] });
    expect(await readRollups(ctx)).toMatchObject([{ role: 'rd', total: 2, completed: 0 }]);
    await giveNumbers([await change('tsk_1', 'completed', 2)]);
    await work('facts.follow');
    expect(await readRollups(ctx)).toMatchObject([{ role: 'rd', total: 2, completed: 1 }]);
    expect(await readCursor()).toBe(3);
  });

  it('comes again while another transaction reads, and moves nothing', async () => {
    await giveNumbers([await change('tsk_1', 'created', 1)]);
    await work('facts.follow');
    const id = await change('tsk_1', 'completed', 2);
    await giveNumbers([id]);
    await ctx.inTransaction(async (tx) => {
      await tx.db.query('SELECT FROM event_cursors WHERE tenant_id = $1 FOR UPDATE', [tx.tenantId]);
      expect(await work('facts.follow')).toEqual({ again: [id] });
    });
    expect(await readCursor()).toBe(1);
  });

  it('leaves facts that cannot be recorded to a job of their own, and records all others', async () => {
    const ids = [];
    for (let n = 0; n < 9; n += 1) ids.push(await change(`tsk_${n}`, 'created', 1));
    await ctx.db.query(`UPDATE events SET facts = '{"version": "none"}' WHERE tenant_id = $1 AND event_id = $2`, [
      ctx.tenantId,
      ids[4],
    ]);
    await giveNumbers(ids);
    await work('facts.follow');
    expect(await readRollups(ctx)).toMatchObject([{ total: 8 }]);
    expect((await pendingOf('facts.record')).map(({ id }) => id)).toEqual([ids[4]]);
    expect(await readCursor()).toBe(9);
  });

  it('passes over events that are no longer stored, and reads thousands in several jobs', async () => {
    const id = await change('tsk_1', 'created', 1);
    await ctx.db.query(
      `INSERT INTO event_numbers (tenant_id, number, event_id) SELECT $1, n, 'evt_' || n FROM generate_series(1, 2500) AS n`,
      [ctx.tenantId],
    );
    number = 2_500;
    await giveNumbers([id]);
    const inner = () =>
      ctx.inTransaction((tx) => followFacts(contextInTransaction(ctx, tx), [{ eventId: id } as never]));
    expect(await inner()).toEqual({ again: [id] });
    expect(await readCursor()).toBe(2_000);
    expect(await inner()).toEqual({ again: [] });
    expect(await readRollups(ctx)).toMatchObject([{ total: 1 }]);
  });

  it('keeps roll-ups equal to a recount, whatever is numbered when and however many jobs run at once', async () => {
    const step = fc.record({
      task: fc.nat(4),
      status: fc.constantFrom<Status>('created', 'in_progress', 'completed', 'failed'),
      jobs: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), fc.nat(6), async (steps, held) => {
        ctx = test.context({ tenantId: await test.createTenant() });
        number = 0;
        const waiting: string[] = [];
        for (const [index, { task, status, jobs }] of steps.entries()) {
          waiting.push(await change(`tsk_${task}`, status, index + 1));
          if (waiting.length > held) await giveNumbers(waiting.splice(0).reverse());
          await Promise.all(Array.from({ length: jobs }, () => work('facts.follow')));
        }
        if (waiting.length > 0) await giveNumbers(waiting);
        await eventually(async () => {
          await Promise.all([work('facts.follow'), work('facts.record')]);
          return (await readCursor()) === number && (await pendingOf('facts.record')).length === 0;
        });
        expect(await readRollups(ctx)).toEqual(await recount(ctx));
      }),
      { numRuns: 15 },
    );
  });
});
