import { type DbScope, firstRowsSql, rowByKeySql } from '@eas/db';
import { numberedId, type PullRequest, type PullRequestKey, type SuiteResult } from './pull-request.ts';
import type { Stage } from './pull-request-stage.ts';

type Row = PullRequestKey & {
  state: 'open' | 'closed' | 'merged' | null;
  title: string;
  url: string;
  author: string;
  branch: string;
  headSha: string | null;
  base: string | null;
  hasConflict: boolean | null;
  isFork: boolean;
  at: Date | null;
  checks: Record<string, SuiteResult>;
  taskId: string | null;
};

const columnsOf = (keys: readonly PullRequestKey[]) => [
  keys.map((key) => key.integrationRef),
  keys.map((key) => key.repository),
  keys.map((key) => key.number),
];

const keysSql = `
  (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::int[]) AS s (ref, repository, number)) AS s`;

const readSql = `
  SELECT p.integration_ref AS "integrationRef", p.repository, p.number, p.state, p.title, p.url, p.author, p.branch,
    p.head_sha AS "headSha", p.base, p.has_conflict AS "hasConflict", p.is_fork AS "isFork", p.dated_at AS at,
    p.checks, p.task_id AS "taskId"
  FROM ${keysSql} ${rowByKeySql('p', {
    from: 'pull_requests p',
    where: 'p.tenant_id = $1 AND p.integration_ref = s.ref AND p.repository = s.repository AND p.number = s.number',
  })}`;

export async function readPullRequests(
  { db, tenantId }: DbScope,
  keys: readonly PullRequestKey[],
): Promise<PullRequest[]> {
  if (keys.length === 0) return [];
  return (await db.query<Row>(readSql, [tenantId, ...columnsOf(keys)])).map(ofRow);
}

function ofRow({ integrationRef, repository, number, checks, taskId, state, ...shown }: Row): PullRequest {
  const known = state && shown.at ? { ...shown, state, at: shown.at.getTime() } : null;
  return { integrationRef, repository, number, shown: known, checks, taskId };
}

const byCommitSql = `
  SELECT DISTINCT s.ref AS "integrationRef", s.repository, s.sha, p.number
  FROM unnest($2::text[], $3::text[], $4::text[]) AS s (ref, repository, sha)
  ${firstRowsSql('p', {
    select: 'number',
    from: 'pull_requests',
    where: 'tenant_id = $1 AND integration_ref = s.ref AND repository = s.repository AND head_sha = s.sha',
    orderBy: 'number',
    limit: '$5',
  })}`;

export type Commit = Pick<PullRequestKey, 'integrationRef' | 'repository'> & { sha: string };

/** Pull requests whose newest commit it is: at most `max` of each. */
export async function findByCommit(
  { db, tenantId }: DbScope,
  commits: readonly Commit[],
  max: number,
): Promise<(Commit & { number: number })[]> {
  if (commits.length === 0) return [];
  const columns = [commits.map((c) => c.integrationRef), commits.map((c) => c.repository), commits.map((c) => c.sha)];
  return db.query<Commit & { number: number }>(byCommitSql, [tenantId, ...columns, max]);
}

const placeSql = `
  INSERT INTO pull_requests (tenant_id, integration_ref, repository, number, created_at)
  SELECT $1, s.ref, s.repository, s.number, app_now() FROM ${keysSql} ON CONFLICT DO NOTHING`;

const stageColumns = `"integrationRef" text, repository text, number int, stage text, at timestamptz, data jsonb`;

const insertSql = `
  INSERT INTO pull_request_stages (tenant_id, integration_ref, repository, number, stage, at, data)
  SELECT $1, s."integrationRef", s.repository, s.number, s.stage, s.at, s.data
  FROM json_to_recordset($2::json) AS s (${stageColumns})
  ON CONFLICT DO NOTHING
  RETURNING integration_ref AS "integrationRef", repository, number, stage`;

type StageOf = PullRequestKey & { stage: Stage };
export type StageKey = PullRequestKey & { stage: string };

export const stageText = ({ integrationRef, stage, ...numbered }: StageKey): string =>
  `${integrationRef} ${numberedId(numbered)} ${stage}`;

/** Keeps stages of pull requests that are locked. Gives the texts of those that are new. */
export async function insertStages(scope: DbScope, stages: readonly StageOf[]): Promise<Set<string>> {
  if (stages.length === 0) return new Set();
  const { db, tenantId } = scope;
  await db.query(placeSql, [tenantId, ...columnsOf(stages)]);
  const rows = stages.map(({ stage: { key, at, ...data }, ...of }) => ({ ...of, stage: key, at, data }));
  const once = new Map(rows.map((row) => [stageText(row), row]));
  const inserted = await db.query<StageKey>(insertSql, [tenantId, JSON.stringify([...once.values()])]);
  return new Set(inserted.map(stageText));
}

const newestSql = `
  SELECT stage AS key, at, data, published_at IS NOT NULL AS "isPublished" FROM pull_request_stages
  WHERE tenant_id = $1 AND integration_ref = $2 AND repository = $3 AND number = $4 ORDER BY at DESC, stage LIMIT $5`;

export type KeptStage = { stage: Stage; isPublished: boolean };

/** The newest stages of a pull request, oldest first. */
export async function readStages(
  { db, tenantId }: DbScope,
  { integrationRef, repository, number }: PullRequestKey,
  max: number,
): Promise<KeptStage[]> {
  type Kept = { key: string; at: Date; data: Omit<Stage, 'key' | 'at'>; isPublished: boolean };
  const rows = await db.query<Kept>(newestSql, [tenantId, integrationRef, repository, number, max]);
  return rows.reverse().map(({ key, at, data, isPublished }) => ({ stage: { key, at, ...data }, isPublished }));
}

const publishedSql = `
  UPDATE pull_request_stages p SET published_at = app_now()
  FROM json_to_recordset($2::json) AS s ("integrationRef" text, repository text, number int, stage text)
  WHERE p.tenant_id = $1 AND p.integration_ref = s."integrationRef" AND p.repository = s.repository
    AND p.number = s.number AND p.stage = s.stage`;

const saveSql = `
  UPDATE pull_requests p SET state = s.state, title = s.title, url = s.url, author = s.author, branch = s.branch,
    head_sha = s."headSha", base = s.base, has_conflict = s."hasConflict",
    is_fork = coalesce(s."isFork", p.is_fork), dated_at = s.at, checks = s.checks, task_id = s."taskId"
  FROM json_to_recordset($2::json) AS s ("integrationRef" text, repository text, number int, state text, title text,
    url text, author text, branch text, "headSha" text, base text, "hasConflict" boolean, "isFork" boolean,
    at timestamptz, checks jsonb, "taskId" text)
  WHERE p.tenant_id = $1 AND p.integration_ref = s."integrationRef" AND p.repository = s.repository
    AND p.number = s.number`;

/** Writes back pull requests that are locked, and which of their stages are published. */
export async function savePullRequests(
  { db, tenantId }: DbScope,
  pullRequests: readonly PullRequest[],
  published: readonly StageKey[],
): Promise<void> {
  const rows = pullRequests.map(({ shown, ...row }) => ({ ...row, ...shown, at: shown && new Date(shown.at) }));
  if (rows.length > 0) await db.query(saveSql, [tenantId, JSON.stringify(rows)]);
  if (published.length > 0) await db.query(publishedSql, [tenantId, JSON.stringify(published)]);
}
