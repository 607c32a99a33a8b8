import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import type { TaskStatus } from '../work/task-queries.ts';
import { filtersOf, type TaskSearch } from './task-search.ts';

export const pageSize = 100;

/** A page of the list; `after` is the cursor of the page before, '' for the first. Pages stay while the tab is open. */
export const taskPageQuery = (search: TaskSearch, after: string) =>
  queryOptions({
    queryKey: ['tasks', 'page', filtersOf(search), after],
    gcTime: Infinity,
    notifyOnChangeProps: 'all' as const,
    queryFn: async ({ signal }) => {
      const query = { ...filtersOf(search), limit: pageSize, after };
      return (await read(api.GET('/v1/tasks', { params: { query }, signal }))) as Schemas['TaskSummaryCursorPage'];
    },
  });

const columnSize = 25;

/** The newest tasks of a status, and how many there are. */
export const columnQuery = (search: TaskSearch, status: TaskStatus) =>
  queryOptions({
    queryKey: ['tasks', 'column', filtersOf(search), status],
    queryFn: ({ signal }) => {
      const query = { ...filtersOf(search), status, limit: columnSize };
      return read(api.GET('/v1/tasks', { params: { query }, signal }));
    },
  });
