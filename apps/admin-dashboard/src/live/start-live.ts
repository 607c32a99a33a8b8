import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setConnection } from './connection.ts';
import { gatherStale } from './gather-stale.ts';
import { type Resource, staleAfter } from './stale-after.ts';
import { keepStream } from './stream.ts';

const timer = { start: (work: () => void, ms: number) => void setTimeout(work, ms) };

/** Opens the page's one stream of events: what one made stale is read again, if the page shows it. */
export function startLive(client: QueryClient): void {
  const gather = gatherStale((resource) => void client.invalidateQueries({ queryKey: [resource] }), timer);
  void keepStream({
    path: '/v1/events/stream',
    signal: new AbortController().signal,
    onEvent: ({ type }) => gather(staleAfter(type)),
    onGap: () => void client.invalidateQueries(),
    onState: setConnection,
  });
}

/** Follows the timeline of the one resource that a page shows: it has more than the events, progress for one. */
export function useTimelineStream(path: string | undefined, resources: readonly Resource[]): void {
  const client = useQueryClient();
  const names = resources.join();
  useEffect(() => {
    if (path === undefined) return undefined;
    const ending = new AbortController();
    const own = names.split(',') as Resource[];
    const gather = gatherStale((resource) => void client.invalidateQueries({ queryKey: [resource] }), timer);
    void keepStream({
      path,
      signal: ending.signal,
      onEvent: () => gather(own),
      onGap: () => gather(own),
      onState: () => {},
    });
    return () => ending.abort();
  }, [client, path, names]);
}
