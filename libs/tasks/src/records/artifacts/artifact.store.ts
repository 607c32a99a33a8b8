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
  createdAt: Date;
};

const insertSql = `
  INSERT INTO artifacts (tenant_id, id, task_id, lease_id, agent_id, kind, title, url, sha, data, created_at)
  SELECT $1, id, "taskId", "leaseId", "agentId", kind, title, url, sha, data, "createdAt"
  FROM json_to_recordset($2::json) AS s (id text, "taskId" text, "leaseId" text, "agentId" text, kind text, title text,
    url text, sha text, data jsonb, "createdAt" timestamptz)`;

export async function insertArtifacts({ db, tenantId }: DbScope, rows: readonly ArtifactRow[]): Promise<void> {
  if (rows.length > 0) await db.query(insertSql, [tenantId, JSON.stringify(rows)]);
}

const countSql = 'SELECT count(*)::int AS count FROM artifacts WHERE tenant_id = $1 AND task_id = $2';

export async function countArtifacts({ db, tenantId }: DbScope, taskId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(countSql, [tenantId, taskId]);
  return row?.count ?? 0;
}
