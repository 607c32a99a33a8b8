import type { Db } from '@eas/db';

/** More than what any estimate reads. */
const kept = 100;

const sweepSql = `
  DELETE FROM step_durations d USING (
    SELECT tenant_id, workflow_id, step_key, finished_at, run_id, row_number() OVER (
      PARTITION BY tenant_id, workflow_id, step_key ORDER BY finished_at DESC, run_id DESC
    ) AS position
    FROM step_durations
  ) AS ordered
  WHERE ordered.position > ${kept} AND d.tenant_id = ordered.tenant_id AND d.workflow_id = ordered.workflow_id
    AND d.step_key = ordered.step_key AND d.finished_at = ordered.finished_at AND d.run_id = ordered.run_id
  RETURNING d.run_id`;

/** Deletes how long steps took but for the newest of each workflow and step. Returns how many. */
export async function sweepStepDurations(db: Db): Promise<number> {
  return (await db.query(sweepSql)).length;
}
