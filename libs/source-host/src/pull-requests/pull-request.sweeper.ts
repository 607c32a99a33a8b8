import { type Db, removeInBatches } from '@eas/db';

// Stages are looked up one by one: a join may read all of them.
const oldSql = `
  task_id IS NULL AND created_at < app_now() - $2 * interval '1 day'
  AND (SELECT count(*) FROM (
    SELECT 1 FROM pull_request_stages s
    WHERE s.tenant_id = pull_requests.tenant_id AND s.integration_ref = pull_requests.integration_ref
      AND s.repository = pull_requests.repository AND s.number = pull_requests.number LIMIT 1
  ) AS stages) = 0`;

/** Forgets pull requests without a task that are older than this many days and have no stages any more. Gives how many. */
export function sweepOldPullRequests(db: Db, days: number, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'pull_requests',
    where: oldSql,
    orderBy: 'created_at',
    values: [days],
    signal,
  });
}
