import { type Db, earliestAt, removeInBatches, type Tx } from '@eas/db';
import type { DueJob, JobKind, JobRow, JobStep, PacedRow, SweptKind } from './job-kind.ts';
import { jobColumns } from './job.read-model.ts';
import { endJob } from './job.store.ts';

/**
 * Advances the job that has waited longest by the work of one second, or cancels it when its subject is gone. Returns
 * the number of items that it moved; undefined when no job is due. The job is locked until the transaction ends, so
 * that its work and position commit together.
 */
export async function sweepJob<Row extends PacedRow>(tx: Tx, kind: SweptKind<Row>): Promise<number | undefined> {
  const [job] = await tx.db.query<DueJob<Row> & { isGone: boolean }>(dueSql(kind));
  if (!job) return undefined;
  const own = { ...tx, tenantId: job.tenantId };
  if (job.isGone) {
    await endJob(own, kind, job.id, { status: 'cancelled' });
    return 0;
  }
  const step = await kind.step(own, job);
  await saveStep(own, kind, job.id, step);
  return step.moved;
}

/** When the next job of any tenant is due. */
export const nextJobAt = <Row extends JobRow>(db: Db, { table }: JobKind<Row>): Promise<Date | null> =>
  earliestAt(db, `SELECT next_run_at FROM ${table} WHERE next_run_at IS NOT NULL ORDER BY next_run_at LIMIT 1`);

const dueSql = <Row extends PacedRow>(kind: SweptKind<Row>) => `
  SELECT tenant_id AS "tenantId", ${jobColumns(kind)}, ${kind.position} AS position, app_now() AS now,
    ${kind.isSubjectGone ?? 'false'} AS "isGone"
  FROM ${kind.table} j WHERE next_run_at <= app_now() ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

async function saveStep<Row extends PacedRow>(
  { db, tenantId }: Tx,
  { table, position, progress }: SweptKind<Row>,
  id: string,
  step: JobStep,
): Promise<void> {
  const sql = `
    UPDATE ${table} SET ${position} = $3, ${progress} = ${progress} + $4, updated_at = app_now(),
      status = CASE WHEN $5 THEN 'completed' ELSE status END, finished_at = CASE WHEN $5 THEN app_now() END,
      next_run_at = CASE WHEN NOT $5 THEN app_now() + interval '1 second' END
    WHERE tenant_id = $1 AND id = $2`;
  await db.query(sql, [tenantId, id, step.position, step.moved, step.isDone]);
}

/** Removes jobs of all tenants that ended so many days ago. Their table has an index of `finished_at`. */
export function removeOldJobs<Row extends JobRow>(
  db: Db,
  { table }: JobKind<Row>,
  { keptDays, signal }: { keptDays: number; signal?: AbortSignal },
): Promise<number> {
  const where = `finished_at < app_now() - interval '${keptDays} days'`;
  return removeInBatches(db, { table, where, orderBy: 'finished_at', signal });
}
