import { type DbScope, firstRowsSql, valuesOf } from '@eas/db';
import { wakeDestinations } from '@eas/outbound';
import { type CallKey, type CallResult, type NewCall, rankOf } from './platform-call.ts';
import { platformApis } from './call-tables.ts';

const insertSql = `
  INSERT INTO platform_calls (tenant_id, integration_id, kind, external_id, key, payload, rank, due_at, created_at)
  SELECT $1, s."integrationId", s.kind, s."externalId", s.key, s.payload, s.rank, app_now(), app_now()
  FROM json_to_recordset($2::json) AS s ("integrationId" text, kind text, "externalId" text, key text, payload json,
    rank int)`;

const callSql = `${insertSql} ON CONFLICT DO NOTHING`;

// An attempt that is being made of it finds another number of attempts, and ends nothing.
const pullRequestSql = `
  ${insertSql}
  ON CONFLICT (tenant_id, key, external_id) WHERE kind = 'pull_request' DO UPDATE
    SET integration_id = excluded.integration_id, payload = excluded.payload, state = 'waiting', attempts = 0,
      due_at = excluded.due_at, finished_at = NULL, last_error = NULL
    WHERE platform_calls.payload #>> '{pullRequest,eventId}' < excluded.payload #>> '{pullRequest,eventId}'`;

/** Adds calls that are to be made; one that was wanted before, made or not, is not added again. */
export const wantCalls = (scope: DbScope, calls: readonly NewCall[]): Promise<void> => want(scope, calls, callSql);

/** As wantCalls, one for a task and repository: a later event has the same one made again. */
export const wantPullRequests = (scope: DbScope, calls: readonly NewCall[]): Promise<void> =>
  want(scope, calls, pullRequestSql);

const pullRequestsSql = `json_to_recordset($2::json) AS s ("integrationId" text, repository text, "taskId" text)`;
const isOfPullRequestSql = `
  c.tenant_id = $1 AND c.integration_id = s."integrationId" AND c.kind = 'pull_request'
    AND c.external_id = lower(s.repository) AND c.key = s."taskId"`;

const openedSql = `
  SELECT c.integration_id AS "integrationId" FROM ${pullRequestsSql}, platform_calls c WHERE ${isOfPullRequestSql}`;

const mergeableSql = `
  UPDATE platform_calls c SET state = 'waiting', attempts = 0, due_at = app_now(), finished_at = NULL, last_error = NULL
  FROM ${pullRequestsSql} WHERE ${isOfPullRequestSql}`;

/** Has pull requests of tasks looked at again, and asked whether they can still be merged. */
export async function askWhetherMergeable(
  { db, tenantId }: DbScope,
  pullRequests: readonly { integrationId: string; repository: string; taskId: string }[],
): Promise<void> {
  if (pullRequests.length === 0) return;
  const values = [tenantId, JSON.stringify(pullRequests)];
  const opened = await db.query<{ integrationId: string }>(openedSql, values);
  if (opened.length === 0) return;
  await wakeDestinations({ db, tenantId }, platformApis, opened);
  await db.query(mergeableSql, values);
}

async function want({ db, tenantId }: DbScope, calls: readonly NewCall[], sql: string): Promise<void> {
  if (calls.length === 0) return;
  await wakeDestinations({ db, tenantId }, platformApis, calls);
  const rows = calls.map((call) => ({ ...call, rank: rankOf(call.kind) }));
  await db.query(sql, [tenantId, JSON.stringify(rows)]);
}

/** Comments of ours to tasks of the platform. */
export type OwnComment = CallKey & { taskId: string | null; state: string; result: CallResult | null; createdAt: Date };

const ownSql = `
  SELECT c.integration_id AS "integrationId", c.kind, c.external_id AS "externalId", c.key,
    c.payload ->> 'taskId' AS "taskId", c.state, c.result, c.created_at AS "createdAt"
  FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[]) AS s (ref, external)) AS s
  ${firstRowsSql('c', {
    from: 'platform_calls',
    where: `tenant_id = $1 AND integration_id = s.ref AND kind IN ('comment', 'question') AND external_id = s.external`,
    orderBy: 'created_at DESC',
    limit: 50,
  })}`;

/** The newest of each task. */
export async function readOwnComments(
  { db, tenantId }: DbScope,
  tasks: readonly { integrationRef: string; externalId: string }[],
): Promise<OwnComment[]> {
  if (tasks.length === 0) return [];
  return db.query<OwnComment>(ownSql, [tenantId, ...valuesOf(tasks, ['integrationRef', 'externalId'])]);
}
