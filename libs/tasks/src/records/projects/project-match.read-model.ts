import type { ProjectDefaults } from '@eas/contracts';
import type { BatchResult, Db } from '@eas/db';

/** A project by its id, and by a name that tasks call a repository by. null: by that not. */
export type WantedProject = { tenantId: string; id: string | null; repository: string | null };

export type FoundProject = { id: string; isArchived: boolean; defaults: ProjectDefaults };

/** `byRepository`: the only project that is not archived and has a repository of that name. */
export type ProjectMatch = { byId?: FoundProject; byRepository?: FoundProject };

/** LIMIT has the rows found by their keys, whatever the planner takes the sizes to be. */
const matchSql = `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS w (n int, "tenantId" text, id text, repository text))
  SELECT w.n, 'byId' AS by, p.* FROM wanted w, LATERAL (
    SELECT id, archived_at IS NOT NULL AS "isArchived", defaults FROM projects
    WHERE tenant_id = w."tenantId" AND id = w.id LIMIT 1) AS p
  UNION ALL
  SELECT w.n, 'byRepository', p.* FROM wanted w, LATERAL (
    SELECT min(id) AS id FROM (
      SELECT o.id FROM project_repositories r, LATERAL (
        SELECT id FROM projects
        WHERE tenant_id = r.tenant_id AND id = r.project_id AND archived_at IS NULL LIMIT 1) AS o
      WHERE r.tenant_id = w."tenantId" AND r.name = w.repository LIMIT 2) AS matching
    HAVING count(*) = 1) AS sole, LATERAL (
    SELECT id, false, defaults FROM projects WHERE tenant_id = w."tenantId" AND id = sole.id LIMIT 1) AS p`;

type MatchRow = FoundProject & { n: number; by: keyof ProjectMatch };

/** Of any tenants. Gathered. */
export async function matchProjects(db: Db, wanted: readonly WantedProject[]): Promise<BatchResult<ProjectMatch>[]> {
  const numbered = wanted.map((one, n) => ({ ...one, n }));
  const rows = await db.query<MatchRow>(matchSql, [JSON.stringify(numbered)]);
  const matches = wanted.map((): ProjectMatch => ({}));
  for (const { n, by, ...project } of rows) (matches[n] ?? {})[by] = project;
  return matches.map((value) => ({ ok: true, value }));
}
