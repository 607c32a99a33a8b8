import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { sweepStepDurations } from './step-duration.sweeper.ts';

const test = useTestDatabase();

const fillSql = `
  INSERT INTO step_durations (tenant_id, workflow_id, step_key, finished_at, run_id, duration_ms)
  SELECT $1, 'wfl_1', $2, app_now() - n * interval '1 minute', 'run_' || n, n FROM generate_series(1, $3::int) AS n`;

describe('how long steps took', () => {
  it('is kept for the newest 100 of each workflow and step', async () => {
    const { db, tenantId } = test.context({ tenantId: await test.createTenant() });
    await db.query(fillSql, [tenantId, 'a', 130]);
    await db.query(fillSql, [tenantId, 'b', 7]);
    expect(await sweepStepDurations(db)).toBe(30);
    const sql = `SELECT step_key AS key, count(*), max(duration_ms) FROM step_durations WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1`;
    expect(await db.query(sql, [tenantId])).toEqual([
      { key: 'a', count: 100, max: 100 },
      { key: 'b', count: 7, max: 7 },
    ]);
    expect(await sweepStepDurations(db)).toBe(0);
  });

  it('is swept by recent rows, without reading the others', async () => {
    const tenantId = await test.createTenant();
    const { db } = test.database;
    await db.query(
      `INSERT INTO step_durations (tenant_id, workflow_id, step_key, finished_at, run_id, duration_ms)
       SELECT $1, 'wfl_' || n / 100, 'a', app_now() - n * interval '1 minute' - interval '1 hour', 'run_' || n, n
       FROM generate_series(1, 100000) AS n`,
      [tenantId],
    );
    await db.query('ANALYZE step_durations');
    const read = await rowsReadBy({ database: test.database, tenantId }, async (scope) => {
      expect(await sweepStepDurations(scope.db)).toBe(0);
    });
    expect(read['step_durations'] ?? 0).toBeLessThan(300);
  });
});
