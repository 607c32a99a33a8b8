import type { ProjectDefaults } from '@eas/contracts';
import { type BatchResult, type Db, rowByKeySql } from '@eas/db';

/** A project by its id, and by a name that tasks call a repository by. null: by that not. */
export type WantedProject = { tenantId: string; id: string | null; repository: string | null };

export type FoundProject = { id: string; isArchived: boolean; defaults: ProjectDefaults };

/** `byRepository`: the only project that is not archived and has a repository of that name. */
export type ProjectMatch = { byId?: FoundProject; byRepository?: FoundProject };

const projectSql = (id: string, isArchived: string) =>
  rowByKeySql('p', {
    from: 'projects',
    where: `tenant_id = w."tenantId" AND id = ${id}`,
    select: `id, ${isArchived} AS "isArchived", defaults`,
  });

const matchSql = `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS w (n int, "tenantId" text, id text, repository text))
  SELECT w.n, 'byId' AS by, p.* FROM wanted w ${projectSql('w.id', 'archived_at IS NOT NULL')}
  UNION ALL
  SELECT w.n, 'byRepository', p.* FROM wanted w CROSS JOIN LATERAL (
    SELECT min(id) AS id FROM (
      SELECT o.id FROM project_repositories r
      ${rowByKeySql('o', { from: 'projects', where: 'tenant_id = r.tenant_id AND id = r.project_id AND archived_at IS NULL' })}
      WHERE r.tenant_id = w."tenantId" AND r.name = w.repository LIMIT 2) AS matching
    HAVING count(*) = 1) AS sole ${projectSql('sole.id', 'false')}`;

type MatchRow = FoundProject & { n: number; by: keyof ProjectMatch };

/** Of any tenants. Gathered. */
export async function matchProjects(db: Db, wanted: readonly WantedProject[]): Promise<BatchResult<ProjectMatch>[]> {
  const numbered = wanted.map((one, n) => ({ ...one, n }));
  const rows = await db.query<MatchRow>(matchSql, [JSON.stringify(numbered)]);
  const matches = wanted.map((): ProjectMatch => ({}));
  for (const { n, by, ...project } of rows) (matches[n] ?? {})[by] = project;
  return matches.map((value) => ({ ok: true, value }));
}
