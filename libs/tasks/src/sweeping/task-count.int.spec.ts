import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createTask } from '../moves/create-task.ts';
import { listTasks } from '../reading/list-tasks.ts';
import { aggregateTaskCounts, nextTaskCountAt } from './task-count.sweeper.ts';

const test = useTestDatabase();
const page = { limit: 1, offset: 0, after: undefined, sort: { field: 'created_at', isDescending: true } };

async function openTenant() {
  const ctx = test.context({ tenantId: await test.createTenant() });
  const total = async (filter = {}) => (await listTasks(ctx, filter, page)).total;
  const create = (role: string | null) => createTask(ctx, newTask({ assigned_role: role }));
  return { ctx, total, create };
}

describe('the totals of tasks', () => {
  it('are exact before and after the changes are aggregated', async () => {
    const { ctx, total, create } = await openTenant();
    const stranger = await openTenant();
    await stranger.create('rd');
    const [first] = [await create('rd'), await create('rd'), await create(null)];
    await ctx.db.query("UPDATE tasks SET status = 'failed' WHERE tenant_id = $1 AND id = $2", [
      ctx.tenantId,
      first?.id,
    ]);
    for (const isAggregated of [false, true]) {
      if (isAggregated) expect(await aggregateTaskCounts(ctx.db)).toBeGreaterThan(0);
      expect(await total()).toBe(3);
      expect(await total({ status: 'failed' })).toBe(1);
      expect(await total({ assigned_role: 'rd' })).toBe(2);
      expect(await total({ assigned_role: 'rd', status: 'created' })).toBe(1);
      expect(await total({ assigned_role: '' })).toBe(0);
      expect(await total({ status: 'unknown' })).toBe(0);
    }
    expect(await aggregateTaskCounts(ctx.db)).toBe(0);
  });

  it('are due for aggregation while there are changes', async () => {
    const { ctx, create } = await openTenant();
    await create('rd');
    expect(await nextTaskCountAt(ctx.db)).toEqual(expect.any(Date));
    await aggregateTaskCounts(ctx.db);
    expect(await nextTaskCountAt(ctx.db)).toBeNull();
  });

  it('follow tasks that are inserted, moved and deleted by hand', async () => {
    const { ctx, total, create } = await openTenant();
    for (const role of ['rd', 'rd', 'qa']) await create(role);
    await ctx.db.query(
      "UPDATE tasks SET assigned_role = 'pm', status = 'open' WHERE tenant_id = $1 AND assigned_role = 'rd'",
      [ctx.tenantId],
    );
    expect([await total({ assigned_role: 'rd' }), await total({ assigned_role: 'pm' })]).toEqual([0, 2]);
    await ctx.db.query('DELETE FROM task_timeline WHERE tenant_id = $1', [ctx.tenantId]);
    await ctx.db.query("DELETE FROM tasks WHERE tenant_id = $1 AND assigned_role = 'pm'", [ctx.tenantId]);
    expect([await total(), await total({ status: 'open' })]).toEqual([1, 0]);
  });

  it('count every task exactly once while several processes aggregate and others create', async () => {
    const { ctx, total, create } = await openTenant();
    let created = 0;
    const seen: [number, number, number][] = [];
    const writers = Array.from({ length: 4 }, async () => {
      for (let number = 0; number < 25; number += 1) {
        await create('rd');
        created += 1;
      }
    });
    let isWriting = true;
    const aggregators = Array.from({ length: 3 }, async () => {
      while (isWriting) await aggregateTaskCounts(ctx.db);
    });
    const reader = (async () => {
      while (isWriting) {
        const before = created;
        const shown = await total();
        // A task that is being created may be committed before its call returns.
        seen.push([before, shown, created + 4]);
      }
    })();
    await Promise.all(writers);
    isWriting = false;
    await Promise.all([...aggregators, reader]);
    expect(seen.filter(([least, shown, most]) => shown < least || shown > most)).toEqual([]);
    expect(await total()).toBe(100);
    await aggregateTaskCounts(ctx.db);
    expect(await total()).toBe(100);
  });
});
