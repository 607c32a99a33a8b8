import { type DbScope, firstRowsSql } from '@eas/db';

/** An open pull request of the branch on which a runner does a task, as `isWorkedOn` has it. */
export type OwnPullRequest = {
  taskId: string;
  integrationId: string;
  repository: string;
  number: number;
  sha: string | null;
};

const columns = `
  p.task_id AS "taskId", p.integration_ref AS "integrationId", p.repository, p.number, p.head_sha AS sha`;

const isOwn = `p.state = 'open' AND p.task_id IS NOT NULL AND NOT p.is_fork AND p.branch = 'task/' || p.task_id`;

const ofTasksSql = `
  SELECT ${columns} FROM unnest($2::text[]) AS wanted (task)
  ${firstRowsSql('p', {
    from: 'pull_requests',
    where: 'tenant_id = $1 AND task_id = wanted.task',
    orderBy: 'repository, number',
    limit: 20,
  })}
  WHERE ${isOwn}`;

export const readOwnPullRequests = ({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<OwnPullRequest[]> =>
  db.query<OwnPullRequest>(ofTasksSql, [tenantId, taskIds]);

/** A branch into which something was merged. */
export type MovedBase = { integrationRef: string; repository: string; base: string };

/** Open ones alone have the index: not all that were ever merged are read. */
const intoBasesSql = `
  SELECT DISTINCT ${columns}
  FROM json_to_recordset($2::json) AS s ("integrationRef" text, repository text, base text)
  ${firstRowsSql('p', {
    from: 'pull_requests p',
    where: `p.tenant_id = $1 AND p.integration_ref = s."integrationRef" AND p.repository = s.repository
      AND p.base = s.base AND ${isOwn}`,
    orderBy: 'p.number',
    limit: 100,
  })}`;

/** Those that are to be merged into the bases, the first hundred of each. */
export const readOwnInto = async ({ db, tenantId }: DbScope, bases: readonly MovedBase[]): Promise<OwnPullRequest[]> =>
  bases.length === 0 ? [] : db.query<OwnPullRequest>(intoBasesSql, [tenantId, JSON.stringify(bases)]);
