import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { RunnerSearch } from './runner-search.ts';

export type Runner = Schemas['Runner'];

/** No event reports that a runner was seen or is offline. */
const everyMs = 15_000;

export const runnerPages = (filters: RunnerSearch): PageSource<Runner> => ({
  queryKey: ['agents', 'runners', filters],
  read: async (after, signal) => {
    const query = { ...filters, sort: 'host' as const, limit: 100, after };
    return (await read(api.GET('/v1/runners', { params: { query }, signal }))) as CursorPage<Runner>;
  },
  whileOpen: { isOpen: () => true, everyMs },
});

/** The runners of one agent, those that are online first. */
export const agentRunnersQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', 'runners', 'of', agentId],
    queryFn: ({ signal }) => {
      const query = { agent_id: agentId, sort: 'presence' as const, limit: 20 };
      return read(api.GET('/v1/runners', { params: { query }, signal }));
    },
    refetchInterval: everyMs,
  });
