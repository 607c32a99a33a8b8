import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { readOnByOffset } from '../api/read-on.ts';

export type Run = Schemas['RunDetail'];
export type RunSummary = Schemas['RunSummary'];
export type RunStatus = Schemas['RunStatus'];
export type Step = Schemas['RunStepDetail'];
export type Workflow = Schemas['WorkflowDetail'];

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/v1/runs/{run_id}', { params: { path: { run_id: id } }, signal })),
  });

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/workflows/{workflow_id}', { params: { path: { workflow_id: id } }, signal })),
  });

/** Workflows by name, archived ones too, for choosing one and for showing what a run is of. */
export const workflowsQuery = queryOptions({
  queryKey: ['workflows', 'names'],
  queryFn: ({ signal }) =>
    readOnByOffset((offset, limit) => {
      const query = { limit, offset, sort: 'name' as const, is_archived: 'any' as const };
      return read(api.GET('/v1/workflows', { params: { query }, signal }));
    }),
});
