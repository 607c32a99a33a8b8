import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import type { TaskStatus, TaskSummary } from '../resources/task-queries.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import { filtersOf, type TaskSearch } from './task-search.ts';

export const taskPages = (search: TaskSearch): PageSource<TaskSummary> => ({
  queryKey: ['tasks', 'page', filtersOf(search)],
  read: (after, signal) => {
    const query = { ...filtersOf(search), limit: 100, after };
    return read(api.GET('/v1/tasks', { params: { query }, signal })) as Promise<CursorPage<TaskSummary>>;
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
