import { type ArtifactFilter, artifactKinds, maxShownBytes, maxShownEntries } from '@eas/contracts';
import type { Page, PageOfItems } from '@eas/contracts';
import { boundedRowsSql, type DbScope, equalFields, equals, fetchPage, type ListSource, within } from '@eas/db';
import type { ArtifactRow } from '../../records/tasks/artifact.store.ts';

/** An artifact as a task shows it; in JSON of Postgres the moment is a text. */
export type ShownArtifact = Pick<ArtifactRow, 'id' | 'kind' | 'title' | 'url' | 'sha' | 'data'> & {
  createdAt: Date | string;
};

/** The newest artifacts of a task with their data, as many as are shown. The arguments are SQL. */
export const artifactsOfTaskSql = (tenant: string, task: string) =>
  boundedRowsSql({
    from: 'artifacts a',
    where: `a.tenant_id = ${tenant} AND a.task_id = ${task}`,
    key: 'a.id',
    first: 'newest',
    json: `json_build_object('id', a.id, 'kind', a.kind, 'title', a.title, 'url', a.url, 'sha', a.sha, 'data', a.data,
      'createdAt', a.created_at)`,
    maxRows: maxShownEntries,
    maxBytes: maxShownBytes,
  });

const source: ListSource = {
  from: 'artifacts',
  columns: 'id, kind, title, url, sha, data, created_at AS "createdAt"',
  sortable: {
    id: { sql: 'id', type: 'text' },
    kind: { sql: 'kind', type: 'text', order: artifactKinds },
    title: { sql: 'title', type: 'text', isNullable: true },
    url: { sql: 'url', type: 'text', isNullable: true, isLong: true },
    sha: { sql: 'sha', type: 'text', isNullable: true },
    created_at: { sql: 'created_at', type: 'timestamptz' },
  },
};

const findSql = `
  SELECT id, kind, title, url, sha, data, content, created_at AS "createdAt" FROM artifacts
  WHERE tenant_id = $1 AND task_id = $2 AND id = $3`;

export async function findArtifact(
  { db, tenantId }: DbScope,
  taskId: string,
  id: string,
): Promise<(ShownArtifact & Pick<ArtifactRow, 'content'>) | undefined> {
  const [row] = await db.query<ShownArtifact & Pick<ArtifactRow, 'content'>>(findSql, [tenantId, taskId, id]);
  return row;
}

export async function pageArtifacts(
  scope: DbScope,
  { taskId, filter }: { taskId: string; filter: ArtifactFilter },
  page: Page,
): Promise<PageOfItems<ShownArtifact>> {
  return fetchPage(scope, source, [within(equals('task_id', taskId)), ...equalFields(source, filter)], page);
}
