import type { DbScope } from '@eas/db';
import { ownBranchOf } from '../source-host/pull-request.ts';

/** An open pull request of the branch on which a runner does a task. */
export type OwnPullRequest = {
  taskId: string;
  integrationId: string;
  repository: string;
  number: number;
  sha: string | null;
};

/** Each by its key, whatever the planner takes the size of the table to be. */
const readSql = `
  SELECT p.task_id AS "taskId", p.integration_ref AS "integrationId", p.repository, p.number, p.head_sha AS sha
  FROM unnest($2::text[], $3::text[]) AS wanted (task, branch)
  CROSS JOIN LATERAL (
    SELECT * FROM pull_requests WHERE tenant_id = $1 AND task_id = wanted.task ORDER BY repository, number LIMIT 20
  ) AS p
  WHERE p.state = 'open' AND NOT p.is_fork AND p.branch = wanted.branch`;

export const readOwnPullRequests = ({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<OwnPullRequest[]> =>
  db.query<OwnPullRequest>(readSql, [tenantId, taskIds, taskIds.map(ownBranchOf)]);
