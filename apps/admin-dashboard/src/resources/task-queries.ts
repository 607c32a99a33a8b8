import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { type ListPage, readOn } from '../api/read-on.ts';

export type Task = Schemas['TaskDetail'];
export type TaskSummary = Schemas['TaskSummary'];
export type TaskStatus = Schemas['TaskStatus'];
export type Input = Schemas['Input'];

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/v1/tasks/{task_id}', { params: { path: { task_id: id } }, signal })),
  });

export const inputQuery = (id: string) =>
  queryOptions({
    queryKey: ['inputs', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/v1/inputs/{input_id}', { params: { path: { input_id: id } }, signal })),
  });

/** Agents by name, for choosing one and for showing whose work something is. */
export const agentsQuery = queryOptions({
  queryKey: ['agents', 'names'],
  queryFn: ({ signal }) =>
    readOn(async (after) => {
      const query = { limit: 100, sort: 'name' as const, after };
      return (await read(api.GET('/v1/agents', { params: { query }, signal }))) as ListPage<Schemas['Agent']>;
    }),
});
