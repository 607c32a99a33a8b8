import type { Db } from '@eas/db';

// Stages are looked up one by one: a join may read all of them.
const removeSql = `
  DELETE FROM pull_requests WHERE ctid = ANY (ARRAY(
    SELECT p.ctid FROM pull_requests p WHERE p.task_id IS NULL AND p.created_at < app_now() - $1 * interval '1 day'
      AND (SELECT count(*) FROM (
        SELECT 1 FROM pull_request_stages s WHERE s.tenant_id = p.tenant_id AND s.integration_ref = p.integration_ref
          AND s.repository = p.repository AND s.number = p.number LIMIT 1
      ) AS stages) = 0
    ORDER BY p.created_at LIMIT 1000 FOR UPDATE OF p SKIP LOCKED
  )) RETURNING 1`;

/**
 * Forgets pull requests without a task that are older than that many days and have no stages any more. Gives the number;
 * more may be left when it is 1,000.
 */
export async function sweepOldPullRequests(db: Db, days: number): Promise<number> {
  return (await db.query(removeSql, [days])).length;
}
