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
/** Figures are updated a moment after events, and no person watches them by the second. */
const figuresMs = 60_000;

/** No event changes a name: lists of names, which may be many pages, are not reloaded. */
const staleIn = (client: QueryClient, pace: Pace) => (resource: Resource) => {
  const isThere = exists(client);
  void client.invalidateQueries({
    queryKey: [resource],
    predicate: (query) => query.queryKey[1] !== 'names' && (query.meta?.['pace'] ?? 'quick') === pace && isThere(query),
  });
};

/** For state that the windows of a person share. */
const nameOf = (what: string): string => `${basePath}/admin ${what} of ${currentUserId()}`;

/** Opens the browser's one event stream, which invalidates queries; those on the page are reloaded. */
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

/** Follows the timeline of the resource on the page: it has more entries than the event stream, such as progress. */
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
  /** ID of the last known entry: the stream continues after it. */
  position: () => string;
  onEntry: (entry: unknown) => void;
  onGap: () => void;
};

/** Follows a history whose entries the page shows one by one. */
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
