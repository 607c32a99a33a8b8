import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newTask } from '../../test/new-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { recordCompletions } from '../records/leases/lease.store.ts';
import { createTask } from '../moves/create-task.ts';
import { getTask } from '../reading/get-task.ts';
import { sweepDurations } from './task-duration.sweeper.ts';
import { medianOver } from '../reading/task-detail.read-model.ts';

const test = useTestDatabase();
const hourMs = 3_600_000;
const draft = (role: string | null) => newTask({ assigned_role: role });

async function setUp() {
  const ctx = test.context({ tenantId: await test.createTenant() });
  const { id } = await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  return { ctx, by: id };
}

/** Consecutive completions that took the given hours. */
async function complete(ctx: UseCaseContext, by: string, hours: readonly number[], role = 'rd'): Promise<void> {
  let at = Date.now() - 300_000;
  for (const one of hours) {
    at += 1_000;
    const completion = { by, role, at: new Date(at), durationMs: one * hourMs, codeQuality: null };
    await ctx.inTransaction(async (tx) => recordCompletions(tx, [{ ...completion, taskId: newId('task') }]));
  }
}

async function estimate(ctx: UseCaseContext, role: string | null): Promise<number | null> {
  const { id } = await createTask(ctx, draft(role));
  return (await getTask(ctx, id)).body.progress.estimate_remaining_hours;
}

const median = (hours: readonly number[]): number => {
  const sorted = hours.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
};

describe('the estimate of a task that no agent has estimated', () => {
  it(`is the median of the newest ${medianOver} completions of its role, swept or not`, async () => {
    const anyHours = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 2 * medianOver });
    await fc.assert(
      fc.asyncProperty(anyHours, async (hours) => {
        const { ctx, by } = await setUp();
        await complete(ctx, by, hours);
        await complete(ctx, by, [9_999], 'qa');
        const expected = median(hours.slice(-medianOver));
        expect(await estimate(ctx, 'rd')).toBe(expected);
        await sweepDurations(ctx.db);
        expect(await estimate(ctx, 'rd')).toBe(expected);
        const [kept] = await ctx.db.query(
          "SELECT count(*) AS n FROM task_durations WHERE tenant_id = $1 AND role = 'rd'",
          [ctx.tenantId],
        );
        expect(kept).toEqual({ n: Math.min(hours.length, medianOver) });
      }),
      { numRuns: 8 },
    );
  });

  it('is unknown for another role, without a role, and in another tenant', async () => {
    const { ctx, by } = await setUp();
    await complete(ctx, by, [5]);
    expect([await estimate(ctx, 'qa'), await estimate(ctx, null)]).toEqual([null, null]);
    expect(await estimate((await setUp()).ctx, 'rd')).toBe(null);
  });
});
