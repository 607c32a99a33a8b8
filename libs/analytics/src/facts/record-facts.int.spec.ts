import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import fc from 'fast-check';
import { recordFacts } from './record-facts.ts';
import { readRollups, recount } from './recount.read-model.ts';

const database = useTestDatabase();

const statuses = [
  'created',
  'open',
  'in_progress',
  'blocked',
  'in_review',
  'completed',
  'failed',
  'cancelled',
] as const;
const score = fc.option(fc.integer({ min: 0, max: 100 }));
const change = fc.record({
  task: fc.integer({ min: 0, max: 5 }),
  status: fc.constantFrom(...statuses),
  role: fc.constantFrom(null, 'rd', 'qa', 'pm', 'data-science'),
  firstClaimedMs: fc.option(fc.integer({ min: 0, max: 1e8 })),
  durationMs: fc.integer({ min: 0, max: 1e9 }),
  codeQuality: score,
  requirementsClarity: score,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const firstDay = Date.parse('2026-03-28T00:00:00Z');
const dayMs = 86_400_000;
/** Tasks of the same history were created at moments around midnight UTC. */
const createdAt = (task: number) => new Date(firstDay + Math.floor(task / 2) * dayMs + (task % 2) * (dayMs - 1));

/** Writes the task's new state and returns the event that a use case would append with it. */
async function write(ctx: UseCaseContext, next: Change, version: number): Promise<StoredEvent> {
  const taskId = `tsk_${next.task}`;
  const claimed = next.firstClaimedMs === null ? null : new Date(createdAt(next.task).getTime() + next.firstClaimedMs);
  const completed =
    next.status === 'completed' ? new Date((claimed ?? createdAt(next.task)).getTime() + next.durationMs) : null;
  await ctx.db.query(
    `INSERT INTO tasks (tenant_id, id, title, description, status, assigned_role, lease_id, created_at, updated_at, rank,
                        version, first_claimed_at, completed_at, code_quality, requirements_clarity)
     VALUES ($1, $2, 't', 'd', $3, $4, $5, $6, $6, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, assigned_role = excluded.assigned_role,
       lease_id = excluded.lease_id, version = excluded.version, first_claimed_at = excluded.first_claimed_at,
       completed_at = excluded.completed_at, code_quality = excluded.code_quality,
       requirements_clarity = excluded.requirements_clarity`,
    [
      ctx.tenantId,
      taskId,
      next.status,
      next.role,
      ['in_progress', 'blocked'].includes(next.status) ? 'lse_1' : null,
      createdAt(next.task),
      version,
      claimed,
      completed,
      next.codeQuality,
      next.requirementsClarity,
    ],
  );
  return {
    eventId: `evt_${version}`,
    type: 'task.updated',
    occurredAt: createdAt(next.task),
    dataText: '{}',
    data: { task_id: taskId, title: 't', from: 'open', to: next.status, changed: [] },
    facts: {
      version,
      role: next.role,
      status: next.status,
      created_at: createdAt(next.task).toISOString(),
      due_date: null,
      first_claimed_at: claimed?.toISOString() ?? null,
      completed_at: completed?.toISOString() ?? null,
      code_quality: next.codeQuality,
      requirements_clarity: next.requirementsClarity,
    },
  };
}

function consume(ctx: UseCaseContext, events: StoredEvent[]): Promise<void> {
  return ctx.inTransaction((tx) => recordFacts(contextInTransaction(ctx, tx), events));
}

describe('recordFacts', () => {
  it('keeps roll-ups equal to a recount, whatever the batches, their order and their overlap', async () => {
    const history = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 40 }),
      order: fc.array(fc.nat(), { minLength: 80, maxLength: 80 }),
      batchSize: fc.integer({ min: 1, max: 15 }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ changes, order, batchSize }) => {
        const ctx = database.context({ tenantId: await database.createTenant() });
        const events: StoredEvent[] = [];
        for (const [index, next] of changes.entries()) events.push(await write(ctx, next, index + 1));
        const reported = [...events, ...events.slice(0, 5)]
          .map((event, index) => ({ event, position: order[index] ?? 0 }))
          .sort((a, b) => a.position - b.position)
          .map(({ event }) => event);
        const batches: StoredEvent[][] = [];
        while (reported.length > 0) batches.push(reported.splice(0, batchSize));
        await Promise.all(batches.map((batch) => consume(ctx, batch)));
        expect(await readRollups(ctx)).toEqual(await recount(ctx));
      }),
      { numRuns: 40 },
    );
  });

  it('does not change roll-ups when the facts are older than the stored ones', async () => {
    const ctx = database.context({ tenantId: await database.createTenant() });
    const base: Change = {
      task: 0,
      status: 'open',
      role: 'rd',
      firstClaimedMs: null,
      durationMs: 0,
      codeQuality: null,
      requirementsClarity: null,
    };
    const first = await write(ctx, base, 1);
    const second = await write(ctx, { ...base, status: 'completed', firstClaimedMs: 0, durationMs: 7_200_000 }, 2);
    await consume(ctx, [second]);
    const before = await readRollups(ctx);
    await consume(ctx, [first]);
    expect(await readRollups(ctx)).toEqual(before);
    expect(before).toMatchObject([{ role: 'rd', total: 1, completed: 1, completionMs: 7_200_000, completionCount: 1 }]);
  });

  it('counts tenants apart', async () => {
    const [mine, other] = [await database.createTenant(), await database.createTenant()];
    const ctx = database.context({ tenantId: mine });
    const next: Change = {
      task: 1,
      status: 'open',
      role: null,
      firstClaimedMs: null,
      durationMs: 0,
      codeQuality: null,
      requirementsClarity: null,
    };
    await consume(ctx, [await write(ctx, next, 1)]);
    expect(await readRollups(ctx)).toHaveLength(1);
    expect(await readRollups(database.context({ tenantId: other }))).toEqual([]);
  });
});
