import { type Db, earliestAt, type UseCaseContext } from '@eas/db';
import { advanceRuns } from './advance-runs.ts';

type DueStep = { tenantId: string; runId: string; dueAt: Date };

const batchSize = 100;

const dueSql = `
  SELECT tenant_id AS "tenantId", run_id AS "runId", due_at AS "dueAt" FROM run_steps
  WHERE due_at <= app_now() AND (due_at, run_id) > ($1::timestamptz, $2::text)
  ORDER BY due_at, run_id LIMIT ${batchSize}`;

/**
 * Advances runs of any tenants with a due step: an attempt times out, or the next one may begin. Several sweeps may run
 * at once: the second one finds nothing left to do. Returns how many it handled.
 */
export async function sweepDueSteps(db: Db, contextOf: (tenantId: string) => UseCaseContext): Promise<number> {
  const failures: unknown[] = [];
  let sweptCount = 0;
  let after: [Date | string, string] = ['-infinity', ''];
  for (;;) {
    const due = await db.query<DueStep>(dueSql, after);
    for (const [tenantId, ofTenant] of Map.groupBy(due, (step) => step.tenantId)) {
      const runIds = [...new Set(ofTenant.map(({ runId }) => runId))];
      sweptCount += runIds.length;
      failures.push(...(await advanceEach(contextOf(tenantId), runIds)));
    }
    const last = due.at(-1);
    if (!last || due.length < batchSize) break;
    after = [last.dueAt, last.runId];
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} runs with due steps did not advance`);
  return sweptCount;
}

export const nextStepAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, 'SELECT due_at FROM run_steps WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1');

/** One run that cannot be advanced must not hold up the others. */
async function advanceEach(ctx: UseCaseContext, runIds: readonly string[]): Promise<unknown[]> {
  try {
    await advanceRuns(ctx, runIds);
    return [];
  } catch (error) {
    if (runIds.length === 1) return [error];
    const failures = [];
    for (const runId of runIds) failures.push(...(await advanceEach(ctx, [runId])));
    return failures;
  }
}
