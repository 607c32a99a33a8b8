import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { basePath } from '../api/base-path.ts';
import { currentUserId } from '../api/session.ts';
import { setConnection } from './connection.ts';
import { exists } from './deleted.ts';
import { gatherLate, gatherStale, type Pace, pauses, type Timer } from './gather-stale.ts';
import { changesFigures, type Resource, staleAfter } from './stale-after.ts';
import { keepScarceStream, shareStream } from './shared-stream.ts';

const timer: Timer = (work, ms) => void setTimeout(work, ms);
/** Figures are made of events a moment later, and no person follows them by the second. */
const figuresMs = 60_000;

/** No event changes what something is called: names, which may be many pages, stay as they were read. */
const staleIn = (client: QueryClient, pace: Pace) => (resource: Resource) => {
  const isThere = exists(client);
  void client.invalidateQueries({
    queryKey: [resource],
    predicate: (query) => query.queryKey[1] !== 'names' && (query.meta?.['pace'] ?? 'quick') === pace && isThere(query),
  });
};

/** Of what the windows of a person share. */
const nameOf = (what: string): string => `${basePath}/admin ${what} of ${currentUserId()}`;

/** Opens the browser's one stream of events: what one made stale is read again, if the page shows it. */
export function startLive(client: QueryClient): void {
  const gather = gatherStale(staleIn(client, 'quick'), timer, pauses.quick);
  const gatherSlow = gatherStale(staleIn(client, 'slow'), timer, pauses.slow);
  const gatherFigures = gatherLate(() => staleIn(client, 'quick')('analytics'), timer, figuresMs);
  void shareStream(nameOf('events'), {
    path: '/v1/events/stream',
    signal: new AbortController().signal,
    onEvent: ({ type }) => {
      const resources = staleAfter(type);
      gather(resources);
      gatherSlow(resources);
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
    const gather = gatherStale(staleIn(client, 'quick'), timer, pauses.quick);
    void keepScarceStream(nameOf('timeline'), {
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

export type EntryFollowing = {
  signal: AbortSignal;
  /** Id of the last entry that is known: the stream goes on behind it. */
  position: () => string;
  onEntry: (entry: unknown) => void;
  onGap: () => void;
};

/** Follows a history whose entries a page shows as they come. */
export function followEntries(path: string, { signal, position, onEntry, onGap }: EntryFollowing): Promise<unknown> {
  return keepScarceStream(nameOf('timeline'), {
    path,
    signal,
    get from() {
      return position();
    },
    onEvent: ({ data }) => onEntry(data),
    onGap,
    onState: () => {},
  });
}
