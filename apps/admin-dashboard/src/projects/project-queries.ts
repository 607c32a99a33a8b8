import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Versioned } from '../api/client.ts';
import type { Project } from '../resources/project-queries.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';

/** A project as it was read, and the version that a change of it names. */
export type ReadProject = Versioned<Project>;

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/v1/projects/{project_id}', { params: { path: { project_id: id } }, signal })),
  });

export const projectPages = (isArchived: boolean): PageSource<Project> => ({
  queryKey: ['projects', 'list', isArchived],
  read: async (after, signal) => {
    const which = { is_archived: isArchived ? ('true' as const) : ('false' as const) };
    const query = { ...which, sort: 'name' as const, limit: 100, after };
    return (await read(api.GET('/v1/projects', { params: { query }, signal }))) as CursorPage<Project>;
  },
});
