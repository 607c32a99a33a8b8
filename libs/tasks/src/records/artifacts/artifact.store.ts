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

const replacedSql = `
  SELECT FROM artifacts a WHERE tenant_id = $1 AND task_id = $2 AND kind = 'branch' AND sha = $3 AND EXISTS (
    SELECT FROM artifacts n WHERE n.tenant_id = $1 AND n.task_id = $2 AND n.kind = 'branch' AND n.id > a.id
      AND n.data ->> 'repository' = a.data ->> 'repository' AND n.sha <> a.sha)
  LIMIT 1`;

/** Whether a newer commit was pushed to the branch of the task than this one, which was pushed there. */
export async function isReplacedCommit({ db, tenantId }: DbScope, taskId: string, sha: string): Promise<boolean> {
  return (await db.query(replacedSql, [tenantId, taskId, sha])).length > 0;
}

/** Artifacts that a task can have. */
export const maxArtifacts = 1_000;

const countSql = 'SELECT count(*)::int AS count FROM artifacts WHERE tenant_id = $1 AND task_id = $2';

export async function countArtifacts({ db, tenantId }: DbScope, taskId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(countSql, [tenantId, taskId]);
  return row?.count ?? 0;
}
