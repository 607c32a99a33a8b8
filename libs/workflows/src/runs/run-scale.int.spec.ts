import type { Db, Tx } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from '../../test/scene.ts';
import { advanceRuns } from './advance-runs.ts';
import { nextStepAt, sweepDueSteps } from './run-step.sweeper.ts';

const test = useTestDatabase();
const others = 20_000;
let scene: Scene;

const fillRunsSql = `
  INSERT INTO workflow_runs (tenant_id, id, workflow_id, workflow_version, name, parameters, status, started_at,
    started_by, estimated_completion)
  SELECT $1, 'run_' || n, $2, 1, 'r', '{}', 'started', app_now(), 'system', app_now() FROM generate_series(1, $3::int) AS n`;
/** Every other run has ended. */
const fillStepsSql = `
  INSERT INTO run_steps (tenant_id, run_id, key, id, position, name, role, status, due_at)
  SELECT $1, 'run_' || n, key, key || n, 0, key, 'rd', CASE WHEN key = 'a' THEN 'completed' ELSE 'in_progress' END,
    CASE WHEN key = 'a' THEN NULL ELSE app_now() + n * interval '1 hour' END
  FROM generate_series(1, $2::int) AS n, unnest(ARRAY['a', 'b']) AS key`;

beforeAll(async () => {
  scene = await openScene(test, [
    { id: 'a', timeout: 60 },
    { id: 'b', needs: ['a'], timeout: 60 },
  ]);
  const { db, tenantId } = scene.ctx;
  await db.query(fillRunsSql, [tenantId, scene.workflow.id, others]);
  await db.query(fillStepsSql, [tenantId, others]);
});

/** The same database, recording how each statement is planned. */
function planned(db: Db, plans: string[]): Db {
  return {
    ...db,
    query: async (text, values) => {
      if (/^\s*(SELECT|WITH)/.test(text)) {
        const lines = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values, { isPrepared: false });
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      }
      return db.query(text, values);
    },
  };
}
const scans = (plans: readonly string[]) => plans.join('\n').match(/Seq Scan on (workflow_runs|run_steps).*/g) ?? [];

describe.each(['just after a start, when nothing is known of the tables', 'later'])('with many runs, %s', (when) => {
  beforeAll(async () => {
    if (when === 'later') await scene.ctx.db.query('ANALYZE workflow_runs, run_steps');
  });

  it('one is advanced without reading the others', async () => {
    const runId = await scene.start();
    await scene.complete(runId, 'a');
    const plans: string[] = [];
    const { system } = scene;
    const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
      system.inTransaction((tx) => work({ ...tx, db: planned(tx.db, plans) }));
    await advanceRuns({ ...system, inTransaction }, [runId]);
    expect(scene.stepOf(await scene.read(runId), 'b').status).toBe('in_progress');
    expect(plans.length).toBeGreaterThan(5);
    expect(scans(plans)).toEqual([]);
  });

  it('the sweep reads only due runs, and none that has ended', async () => {
    await scene.elapse(await scene.start());
    const plans: string[] = [];
    expect(await sweepDueSteps(planned(test.database.db, plans), () => scene.system)).toBe(1);
    expect(await nextStepAt(planned(scene.ctx.db, plans))).toEqual(expect.any(Date));
    expect(plans.join()).toMatch(/using run_steps_due_at on run_steps.*\n\s*Index Cond: \(+due_at <= /);
    expect(scans(plans)).toEqual([]);
  });
});
