import { numbering, type TaskFacts, typesFor } from '@eas/contracts';
import {
  append,
  contextInTransaction,
  lockEventCursor,
  moveEventCursor,
  readEventsAfter,
  requeueEvents,
  takePendingEvents,
  type UseCaseContext,
} from '@eas/db';
import type { TestDatabase } from '@eas/testing';
import { recordFacts } from '../facts/record-facts.ts';

const emptySql = `TRUNCATE tasks, events, outbox, event_numbers, event_counters, event_cursors, analytics_task_facts,
  analytics_daily_rollups, analytics_recounts, analytics_recounted CASCADE`;
export const start = Date.parse('2026-03-28T20:00:00Z');
const hourMs = 3_600_000;
export const idOf = (task: number) => `tsk_${String(task).padStart(26, '0')}`;
const createdAt = (task: number) => new Date(start + task * hourMs);

export type Status = 'created' | 'in_progress' | 'completed';
export type Change = { task: number; status: Status; role: string; score: number | null };

/** Tasks of one tenant at a time, whose events are numbered and followed as the test says. */
export function useTaskHistory(test: TestDatabase) {
  let ctx: UseCaseContext;
  let numbers = 0;
  async function nextTenant(): Promise<void> {
    ctx = test.context({ tenantId: await test.createTenant() });
    numbers = 0;
  }
  async function startAgain(): Promise<void> {
    await test.database.db.query(emptySql);
    await nextTenant();
  }

  /** Brings a task to a state, as use cases do: its row, and an event with its facts. */
  function change({ task, status, role, score }: Change): Promise<string> {
    const at = createdAt(task);
    const completedAt = status === 'completed' ? new Date(at.getTime() + 1_000) : null;
    const claimedAt = status === 'created' ? null : at;
    return ctx.inTransaction(async (tx) => {
      const [row] = await tx.db.query<{ version: number }>(
        `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, lease_id, created_at, updated_at, rank,
         version, first_claimed_at, completed_at, code_quality)
       VALUES ($1, $2, 't', 'd', $3, $4, CASE WHEN $3 = 'in_progress' THEN 'lse_1' END, $5, $5, $5, 1, $6, $7, $8)
       ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, assigned_role = excluded.assigned_role,
         lease_id = excluded.lease_id, version = tasks.version + 1, first_claimed_at = excluded.first_claimed_at,
         completed_at = excluded.completed_at, code_quality = excluded.code_quality RETURNING version`,
        [tx.tenantId, idOf(task), status, role, at, claimedAt, completedAt, score],
      );
      const facts: TaskFacts = {
        version: row?.version ?? 0,
        role,
        status,
        created_at: at.toISOString(),
        due_date: null,
        first_claimed_at: claimedAt?.toISOString() ?? null,
        completed_at: completedAt?.toISOString() ?? null,
        code_quality: score,
        requirements_clarity: null,
        sent_back: 0,
      };
      const data = { task_id: idOf(task), title: 't', from: 'open', to: 'open', changed: [] };
      return append(tx, { type: 'task.updated', at, data, facts } as never);
    });
  }

  /** Numbers events as the relay does, takes their rows for it, and makes the consumer due. */
  const giveNumbers = (eventIds: readonly string[]) =>
    ctx.inTransaction(async (tx) => {
      for (const eventId of eventIds)
        await tx.db.query('INSERT INTO event_numbers (tenant_id, number, event_id) VALUES ($1, $2, $3)', [
          tx.tenantId,
          (numbers += 1),
          eventId,
        ]);
      await tx.db.query(
        `INSERT INTO event_counters VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE SET last_number = $2`,
        [tx.tenantId, numbers],
      );
      const takeSql = 'DELETE FROM outbox WHERE tenant_id = $1 AND consumer = $2 AND event_id = ANY ($3)';
      await tx.db.query(takeSql, [tx.tenantId, numbering, eventIds]);
      const cursorSql = `INSERT INTO event_cursors VALUES ($1, 'facts.follow', 0) ON CONFLICT DO NOTHING`;
      await tx.db.query(cursorSql, [tx.tenantId]);
      await requeueEvents(tx, 'facts.follow', { eventIds: eventIds.slice(-1), afterMs: 0 });
    });
  const pendingOf = (consumer: string) =>
    ctx.db.query<{ id: string }>('SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = $2', [
      ctx.tenantId,
      consumer,
    ]);
  /** As a job of the consumer does. */
  async function follow(): Promise<void> {
    const ids = (await pendingOf('facts.follow')).map(({ id }) => id);
    await ctx.inTransaction(async (tx) => {
      const taken = await takePendingEvents(tx, 'facts.follow', ids);
      if (taken.length === 0) return;
      const from = await lockEventCursor(tx, 'facts.follow');
      if (from === undefined) return requeueEvents(tx, 'facts.follow', { eventIds: ids, afterMs: 0 });
      const { events, to } = await readEventsAfter(tx, from, typesFor('facts.follow'));
      await recordFacts(contextInTransaction(ctx, tx), events);
      await moveEventCursor(tx, 'facts.follow', to);
    });
  }
  /** Completed tasks, one for each hour, with figures. */
  async function handledTasks(count: number): Promise<void> {
    const ids: string[] = [];
    for (let task = 0; task < count; task += 1)
      ids.push(await change({ task, status: 'completed', role: 'rd', score: 7 }));
    await giveNumbers(ids);
    await follow();
  }

  return { startAgain, nextTenant, change, giveNumbers, pendingOf, follow, handledTasks, ctx: () => ctx };
}
