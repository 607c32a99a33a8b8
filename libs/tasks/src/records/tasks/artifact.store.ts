import type { ArtifactResource } from '@eas/contracts';
import type { DbScope } from '@eas/db';

export type ArtifactRow = {
  id: string;
  taskId: string;
  leaseId: string;
  agentId: string;
  kind: ArtifactResource['kind'];
  title: string | null;
  url: string | null;
  sha: string | null;
  data: Record<string, unknown> | null;
  content: string | null;
  createdAt: Date;
};

const insertSql = `
  INSERT INTO artifacts (tenant_id, id, task_id, lease_id, agent_id, kind, title, url, sha, data, content,
    created_at)
  SELECT $1, id, "taskId", "leaseId", "agentId", kind, title, url, sha, data, content, "createdAt"
  FROM json_to_recordset($2::json) AS s (id text, "taskId" text, "leaseId" text, "agentId" text, kind text, title text,
    url text, sha text, data jsonb, content text, "createdAt" timestamptz)`;

export async function insertArtifacts({ db, tenantId }: DbScope, rows: readonly ArtifactRow[]): Promise<void> {
  if (rows.length > 0) await db.query(insertSql, [tenantId, JSON.stringify(rows)]);
}

/** Of an artifact that a source host reported, in place of those of an agent. */
export type LinkedArtifact = Pick<ArtifactRow, 'id' | 'taskId' | 'kind' | 'createdAt'> & { title: string; url: string };

// An agent may have attached it before.
const linkSql = `
  INSERT INTO artifacts (tenant_id, id, task_id, kind, title, url, created_at)
  SELECT $1, $2, $3, $4, $5, $6, $7
  WHERE NOT EXISTS (SELECT FROM artifacts WHERE tenant_id = $1 AND task_id = $3 AND kind = $4 AND url = $6)
    AND (SELECT count(*) FROM artifacts WHERE tenant_id = $1 AND task_id = $3) < $8
  ON CONFLICT (tenant_id, task_id, md5(url)) WHERE agent_id IS NULL DO NOTHING RETURNING id`;

/** False: the task has it already, or has `max` artifacts. */
export async function insertLinkedArtifact(
  { db, tenantId }: DbScope,
  { id, taskId, kind, title, url, createdAt }: LinkedArtifact,
  max: number,
): Promise<boolean> {
  return (await db.query(linkSql, [tenantId, id, taskId, kind, title, url, createdAt, max])).length > 0;
}

/** Of a commit that no artifact names, the repository is not known: what was not attached before is another one. */
const replacedSql = `
  WITH branches AS MATERIALIZED (
    SELECT id, sha, data ->> 'repository' AS repository FROM artifacts
    WHERE tenant_id = $1 AND task_id = $2 AND kind = 'branch' AND sha IS NOT NULL
  ), own AS (SELECT id, repository FROM branches WHERE sha = $3 ORDER BY id LIMIT 1),
  since AS (SELECT coalesce($4, (SELECT id FROM own)) AS id)
  SELECT FROM branches n, since WHERE n.id > since.id AND n.sha <> $3 AND coalesce(
    n.repository = (SELECT repository FROM own),
    NOT EXISTS (SELECT FROM branches o WHERE o.sha = n.sha AND o.id <= since.id))
  LIMIT 1`;

type SentBack = { id: string; sentBackSha: string | null; sentBackAfter: string | null };

/**
 * Whether a newer commit was pushed to the branch of the task: than this one, which was pushed there, or since the work
 * was sent back for this one, which may be a person's.
 */
export async function isReplacedCommit(
  { db, tenantId }: DbScope,
  { id, sentBackSha, sentBackAfter }: SentBack,
  sha: string,
): Promise<boolean> {
  const since = sha === sentBackSha ? sentBackAfter : null;
  return (await db.query(replacedSql, [tenantId, id, sha, since])).length > 0;
}

const newestSql = `SELECT max(id) AS id FROM artifacts WHERE tenant_id = $1 AND task_id = $2`;

/** The ID of the newest artifact of a task; of one without, a text that is before each ID. */
export async function newestArtifactOf({ db, tenantId }: DbScope, taskId: string): Promise<string> {
  const [row] = await db.query<{ id: string | null }>(newestSql, [tenantId, taskId]);
  return row?.id ?? '';
}

/** Artifacts that a task can have. */
export const maxArtifacts = 1_000;

const countSql = 'SELECT count(*)::int AS count FROM artifacts WHERE tenant_id = $1 AND task_id = $2';

export async function countArtifacts({ db, tenantId }: DbScope, taskId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(countSql, [tenantId, taskId]);
  return row?.count ?? 0;
}
