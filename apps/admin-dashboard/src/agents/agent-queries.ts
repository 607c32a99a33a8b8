import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import type { CursorPage, PageSource } from '../work/use-cursor-pages.ts';
import type { AgentSearch } from './agent-search.ts';

export type Agent = Schemas['Agent'];
/** An agent as it was read, and the version that a change of it names. */
export type ReadAgent = { agent: Schemas['AgentDetail']; etag: string };

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'one', id],
    queryFn: async ({ signal }): Promise<ReadAgent> => {
      const call = api.GET('/v1/agents/{agent_id}', { params: { path: { agent_id: id } }, signal });
      return { agent: await read(call), etag: (await call).response.headers.get('etag') ?? '*' };
    },
  });

export const agentPages = ({ new: _new, ...filters }: AgentSearch): PageSource<Agent> => ({
  queryKey: ['agents', 'list', filters],
  read: async (after, signal) => {
    const query = { ...filters, sort: 'name' as const, limit: 100, after };
    return (await read(api.GET('/v1/agents', { params: { query }, signal }))) as CursorPage<Agent>;
  },
});

/** What agents hold now: the newest hundred. */
export const heldTasksQuery = queryOptions({
  queryKey: ['tasks', 'held'],
  queryFn: ({ signal }) =>
    read(api.GET('/v1/tasks', { params: { query: { status: 'in_progress', limit: 100 } }, signal })),
});
