import { type DbScope, firstRowsSql } from '@eas/db';

/** Number of newest durations that an estimate uses. */
const medianOver = 25;

const mediansSql = `
  SELECT s.workflow_id AS "workflowId", s.key, percentile_cont(0.5) WITHIN GROUP (ORDER BY d.duration_ms) AS ms
  FROM unnest($2::text[], $3::text[]) AS s (workflow_id, key)
  ${firstRowsSql('d', {
    from: 'step_durations',
    where: 'tenant_id = $1 AND workflow_id = s.workflow_id AND step_key = s.key',
    orderBy: 'finished_at DESC',
    limit: medianOver,
  })}
  GROUP BY 1, 2`;

/** How long the steps of workflows took so far, in milliseconds: by workflow and key. Without a past there is none. */
export async function readMedians(
  { db, tenantId }: DbScope,
  steps: readonly { workflowId: string; key: string }[],
): Promise<Map<string, Map<string, number>>> {
  const values = [tenantId, steps.map(({ workflowId }) => workflowId), steps.map(({ key }) => key)];
  const rows = await db.query<{ workflowId: string; key: string; ms: number }>(mediansSql, values);
  const byWorkflow = Map.groupBy(rows, ({ workflowId }) => workflowId);
  return new Map([...byWorkflow].map(([id, ofOne]) => [id, new Map(ofOne.map(({ key, ms }) => [key, ms]))]));
}
