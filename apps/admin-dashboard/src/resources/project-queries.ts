import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { type ListPage, readOn } from '../api/read-on.ts';

export type Project = Schemas['Project'];

/** Projects by name, archived ones too, for choosing one and for showing what a task belongs to. */
export const projectsQuery = queryOptions({
  queryKey: ['projects', 'names'],
  queryFn: ({ signal }) =>
    readOn(async (after) => {
      const query = { limit: 100, sort: 'name' as const, is_archived: 'any' as const, after };
      return (await read(api.GET('/v1/projects', { params: { query }, signal }))) as ListPage<Project>;
    }),
});
