import { type Page, type PageOfItems, projectListFields, type ProjectListQuery } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, selectList } from '@eas/db';
import { projectFields } from './project.store.ts';
import type { Project } from './project.ts';

type Field = (typeof projectListFields)[number];
export type ProjectFilter = Pick<ProjectListQuery, Field | 'is_archived'>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  name: { sql: 'name', type: 'text' },
  description: { sql: 'description', type: 'text', isNullable: true, isLong: true },
  version: { sql: 'version', type: 'int' },
  // The id has the same time.
  created_at: { sql: 'id', type: 'text' },
  updated_at: { sql: 'updated_at', type: 'timestamptz' },
  archived_at: { sql: 'archived_at', type: 'timestamptz', isNullable: true },
};
const source: ListSource = { from: 'projects', columns: selectList(projectFields), sortable };

export function pageProjects(scope: DbScope, filter: ProjectFilter, page: Page): Promise<PageOfItems<Project>> {
  const { is_archived: archived = 'false' } = filter;
  const conditions = [
    ...projectListFields.map((field) => equals(field, filter[field])),
    equals('(archived_at IS NOT NULL)', archived === 'any' ? undefined : archived === 'true'),
  ];
  return fetchPage<Project>(scope, source, conditions, page);
}
