import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setConnection } from './connection.ts';
import { gatherLate, gatherStale, type Timer } from './gather-stale.ts';
import { changesFigures, type Resource, staleAfter } from './stale-after.ts';
import { keepStream } from './stream.ts';

const timer: Timer = { start: (work, ms) => void setTimeout(work, ms), nowMs: () => performance.now() };
/** Figures are made of events a moment later, and no person follows them by the second. */
const figuresMs = 60_000;

/** No event changes what something is called: names, which may be many pages, stay as they were read. */
const staleIn = (client: QueryClient) => (resource: Resource) =>
  void client.invalidateQueries({ queryKey: [resource], predicate: ({ queryKey }) => queryKey[1] !== 'names' });

/** Opens the page's one stream of events: what one made stale is read again, if the page shows it. */
export function startLive(client: QueryClient): void {
  const markStale = staleIn(client);
  const gather = gatherStale(markStale, timer);
  const gatherFigures = gatherLate(() => markStale('analytics'), timer, figuresMs);
  void keepStream({
    path: '/v1/events/stream',
    signal: new AbortController().signal,
    onEvent: ({ type }) => {
      gather(staleAfter(type));
      if (changesFigures(type)) gatherFigures();
    },
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
    const gather = gatherStale(staleIn(client), timer);
    void keepStream({
      path: `${path}?from=now`,
      signal: ending.signal,
      onOpened: () => gather(own),
      onEvent: () => gather(own),
      onGap: () => gather(own),
      onState: () => {},
    });
    return () => ending.abort();
  }, [client, path, names]);
}
