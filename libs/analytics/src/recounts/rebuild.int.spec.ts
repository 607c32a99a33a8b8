import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '@eas/testing';
import { readRollups, recount } from '../facts/recount.read-model.ts';
import { cancelRebuilds, countRebuilds, startRebuilds } from './recount.sweeper.ts';
import { recountSome } from './recount-some.ts';
import { idOf, useTaskHistory } from './task-history.fixture.ts';

const test = useTestDatabase();
const { startAgain, nextTenant, change, giveNumbers, follow, handledTasks, ctx } = useTaskHistory(test);
const db = () => test.database.db;
beforeEach(() => startAgain());

/** Figures, facts and the days of a row that no task has. */
async function damage(): Promise<void> {
  const values = [ctx().tenantId];
  await db().query('UPDATE analytics_daily_rollups SET total = total + 3, completed = 0 WHERE tenant_id = $1', values);
  await db().query(
    `INSERT INTO analytics_daily_rollups (tenant_id, day, role, total) VALUES ($1, '2020-01-01', 'x', 1)`,
    values,
  );
  await db().query(`UPDATE analytics_task_facts SET status = 'failed' WHERE tenant_id = $1 AND task_id = ANY ($2)`, [
    ...values,
    [idOf(2), idOf(7)],
  ]);
  await db().query('DELETE FROM analytics_task_facts WHERE tenant_id = $1 AND task_id = $2', [...values, idOf(9)]);
}

async function rebuildAll(maxTasks: number): Promise<number> {
  let corrected = 0;
  for (let run = 0; run < 100 && (await countRebuilds(db(), null)) > 0; run += 1)
    corrected += (await recountSome(test.database, maxTasks)).correctedFacts;
  return corrected;
}

describe('a rebuild', () => {
  it('corrects facts and figures to what the tasks say', async () => {
    await handledTasks(30);
    await damage();
    await startRebuilds(db(), ctx().tenantId);
    expect(await rebuildAll(5_000)).toBe(3);
    expect(await readRollups(ctx())).toEqual(await recount(ctx()));
    expect(await recountSome(test.database)).toMatchObject({ correctedFacts: 0, differences: [] });
  });

  it('goes on where it was when it is started again, and ends when it is cancelled', async () => {
    await handledTasks(30);
    const { tenantId } = ctx();
    const positions = () =>
      db().query('SELECT position, corrects FROM analytics_recounts WHERE tenant_id = $1', [tenantId]);
    await startRebuilds(db(), tenantId);
    await recountSome(test.database, 10);
    await startRebuilds(db(), tenantId);
    expect(await positions()).toEqual([{ position: idOf(9), corrects: true }]);
    expect(await cancelRebuilds(db(), null)).toBe(1);
    expect([await countRebuilds(db(), null), await positions()]).toEqual([0, []]);
  });

  it('comes before the recount that runs all the time, which then begins again', async () => {
    await handledTasks(30);
    await damage();
    await recountSome(test.database, 10);
    await startRebuilds(db(), null);
    await rebuildAll(7);
    expect(await readRollups(ctx())).toEqual(await recount(ctx()));
    expect(await recountSome(test.database)).toMatchObject({ differences: [] });
  });

  it('corrects the figures of every tenant while tasks change and their events are handled', async () => {
    await handledTasks(12);
    await damage();
    const first = ctx();
    await nextTenant();
    await handledTasks(30);
    await damage();
    await startRebuilds(db(), null);
    for (let n = 0; n < 20; n += 1) {
      const next = { task: (n * 7) % 40, status: 'in_progress', role: n % 2 ? 'qa' : 'rd', score: n } as const;
      const [id] = await Promise.all([change(next), recountSome(test.database, 3), follow()]);
      await giveNumbers([id]);
    }
    await Promise.all([rebuildAll(3), follow()]);
    await follow();
    for (const scope of [first, ctx()]) expect(await readRollups(scope)).toEqual(await recount(scope));
  });
});
