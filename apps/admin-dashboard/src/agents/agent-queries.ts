import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Schemas, type Versioned } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { AgentSearch } from './agent-search.ts';

export type Agent = Schemas['Agent'];
/** An agent as it was read, and the version that a change of it names. */
export type ReadAgent = Versioned<Schemas['AgentDetail']>;

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/v1/agents/{agent_id}', { params: { path: { agent_id: id } }, signal })),
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
