import type { DbScope } from '@eas/db';
import {
  type CallKey,
  type CallPayload,
  type CallResult,
  maxSlowCalls,
  type NewCall,
  rankOf,
} from './platform-call.ts';

const apiSql = `
  INSERT INTO platform_apis (tenant_id, integration_id, slot_at)
  SELECT $1, s.id, app_now() FROM (SELECT DISTINCT unnest($2::text[]) AS id ORDER BY id) AS s
  ON CONFLICT DO NOTHING`;

const insertSql = `
  INSERT INTO platform_calls (tenant_id, integration_id, kind, external_id, key, payload, rank, due_at, created_at)
  SELECT $1, s."integrationId", s.kind, s."externalId", s.key, s.payload, s.rank, app_now(), app_now()
  FROM json_to_recordset($2::json) AS s ("integrationId" text, kind text, "externalId" text, key text, payload json,
    rank int)`;

const callSql = `${insertSql} ON CONFLICT DO NOTHING RETURNING integration_id AS id`;

// An attempt that is being made of it finds another number of attempts, and ends nothing.
const pullRequestSql = `
  ${insertSql}
  ON CONFLICT (tenant_id, key, external_id) WHERE kind = 'pull_request' DO UPDATE
    SET integration_id = excluded.integration_id, payload = excluded.payload, state = 'waiting', attempts = 0,
      due_at = excluded.due_at, finished_at = NULL, last_error = NULL
    WHERE platform_calls.payload #>> '{pullRequest,eventId}' < excluded.payload #>> '{pullRequest,eventId}'
  RETURNING integration_id AS id`;

// After the calls, so that a holder of the row that found no call finds this one.
const wakeSql = `
  WITH locked AS (
    SELECT integration_id FROM platform_apis WHERE tenant_id = $1 AND integration_id = ANY ($2)
    ORDER BY integration_id FOR NO KEY UPDATE
  )
  UPDATE platform_apis a SET due_at = least(a.due_at, app_now()) FROM locked l
  WHERE a.tenant_id = $1 AND a.integration_id = l.integration_id`;

/** Adds calls that are to be made; one that was wanted before, made or not, is not added again. */
export const wantCalls = (scope: DbScope, calls: readonly NewCall[]): Promise<void> => want(scope, calls, callSql);

/** As wantCalls, one for a task and repository: a later event has the same one made again. */
export const wantPullRequests = (scope: DbScope, calls: readonly NewCall[]): Promise<void> =>
  want(scope, calls, pullRequestSql);

const mergeableSql = `
  UPDATE platform_calls c SET state = 'waiting', attempts = 0, due_at = app_now(), finished_at = NULL, last_error = NULL
  FROM json_to_recordset($2::json) AS s ("integrationId" text, repository text, "taskId" text)
  WHERE c.tenant_id = $1 AND c.integration_id = s."integrationId" AND c.kind = 'pull_request'
    AND c.external_id = lower(s.repository) AND c.key = s."taskId"
  RETURNING c.integration_id AS id`;

/** Has pull requests of tasks looked at again, and asked whether they can still be merged. */
export async function askWhetherMergeable(
  { db, tenantId }: DbScope,
  pullRequests: readonly { integrationId: string; repository: string; taskId: string }[],
): Promise<void> {
  if (pullRequests.length === 0) return;
  const asked = await db.query<{ id: string }>(mergeableSql, [tenantId, JSON.stringify(pullRequests)]);
  if (asked.length > 0) await db.query(wakeSql, [tenantId, asked.map(({ id }) => id)]);
}

async function want({ db, tenantId }: DbScope, calls: readonly NewCall[], sql: string): Promise<void> {
  if (calls.length === 0) return;
  await db.query(apiSql, [tenantId, calls.map(({ integrationId }) => integrationId)]);
  const rows = calls.map((call) => ({ ...call, rank: rankOf(call.kind) }));
  const added = await db.query<{ id: string }>(sql, [tenantId, JSON.stringify(rows)]);
  if (added.length > 0) await db.query(wakeSql, [tenantId, added.map(({ id }) => id)]);
}

/** Comments of ours to tasks of the platform. */
export type OwnComment = CallKey & { taskId: string | null; state: string; result: CallResult | null; createdAt: Date };

const ownSql = `
  SELECT c.integration_id AS "integrationId", c.kind, c.external_id AS "externalId", c.key,
    c.payload ->> 'taskId' AS "taskId", c.state, c.result, c.created_at AS "createdAt"
  FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[]) AS s (ref, external)) AS s, LATERAL (
    SELECT * FROM platform_calls c WHERE c.tenant_id = $1 AND c.integration_id = s.ref
      AND c.kind IN ('comment', 'question') AND c.external_id = s.external ORDER BY c.created_at DESC LIMIT 50
  ) AS c`;

/** The newest of each task. */
export async function readOwnComments(
  { db, tenantId }: DbScope,
  tasks: readonly { integrationRef: string; externalId: string }[],
): Promise<OwnComment[]> {
  if (tasks.length === 0) return [];
  const columns = [tasks.map((one) => one.integrationRef), tasks.map((one) => one.externalId)];
  return db.query<OwnComment>(ownSql, [tenantId, ...columns]);
}

/** A call and the attempt of it that ends: one that was wanted again meanwhile has another number of attempts. */
export type MadeCall = CallKey & { attempts: number };

const valuesOf = ({ integrationId, kind, externalId, key, attempts }: MadeCall) => [
  integrationId,
  kind,
  externalId,
  key,
  attempts,
];
/** By its key: with the word for its state, an index of all that wait would serve as well. */
const isMadeCall = `
  tenant_id = $1 AND integration_id = $2 AND kind = $3 AND external_id = $4 AND key = $5 AND attempts = $6
  AND finished_at IS NULL`;

const finishSql = `
  UPDATE platform_calls SET state = $7, result = $8::json, last_error = $9, due_at = NULL, finished_at = app_now()
  WHERE ${isMadeCall}`;

/** How a call ended: `error`: why it failed. */
export type CallEnd = { result?: CallResult; error?: string };

export async function finishCall({ db, tenantId }: DbScope, call: MadeCall, { result, error }: CallEnd): Promise<void> {
  const values = [error === undefined ? 'done' : 'failed', result ? JSON.stringify(result) : null, error ?? null];
  await db.query(finishSql, [tenantId, ...valuesOf(call), ...values]);
}

const againSql = `
  UPDATE platform_calls SET due_at = app_now() + $7 * interval '1 millisecond', last_error = coalesce($8, last_error),
    payload = $9::json, attempts = attempts - $10::int
  WHERE ${isMadeCall}`;

/** `isUncounted`: the platform has certainly done nothing. */
export type CallAgain = { afterMs: number; error?: string; payload: CallPayload; isUncounted?: boolean };

export async function callAgain({ db, tenantId }: DbScope, call: MadeCall, again: CallAgain): Promise<void> {
  const { afterMs, error, payload, isUncounted = false } = again;
  const values = [afterMs, error ?? null, JSON.stringify(payload), isUncounted ? 1 : 0];
  await db.query(againSql, [tenantId, ...valuesOf(call), ...values]);
}

// Calls that were wanted meanwhile have made it due before the end of its lease.
const releaseSql = `
  UPDATE platform_apis a SET lease_until = NULL,
    due_at = CASE WHEN a.due_at < a.lease_until THEN a.due_at ELSE (
      SELECT greatest(min(c.due_at), app_now()) FROM platform_calls c
      WHERE c.tenant_id = $1 AND c.integration_id = $2 AND c.state = 'waiting'
    ) END,
    paused_until = greatest(a.paused_until, $4::timestamptz),
    slow_calls = CASE WHEN $5 THEN least(a.slow_calls + 1, ${maxSlowCalls}) ELSE 0 END
  WHERE a.tenant_id = $1 AND a.integration_id = $2 AND a.fence = $3
  RETURNING a.fence`;

export type Release = { integrationId: string; fence: number; pausedUntil: Date | null; isSlow: boolean };

/** Lets others call for the integration. False: the lease ended, and what this process found does not count. */
export async function releaseApi({ db, tenantId }: DbScope, release: Release): Promise<boolean> {
  const { integrationId, fence, pausedUntil, isSlow } = release;
  return (await db.query(releaseSql, [tenantId, integrationId, fence, pausedUntil, isSlow])).length > 0;
}
