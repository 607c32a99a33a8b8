import type { QueryClient } from '@tanstack/react-query';
import { keepStream, onLiveEvent } from './connection.ts';
import { gatherStale } from './gather-stale.ts';
import { staleAfter } from './stale-after.ts';

/** Opens the page's one stream: what an event made stale is read again, if the page shows it. Returns the way to end it. */
export function startLive(client: QueryClient): () => void {
  const ending = new AbortController();
  const timer = { start: (work: () => void, ms: number) => void setTimeout(work, ms) };
  const gather = gatherStale((resource) => void client.invalidateQueries({ queryKey: [resource] }), timer);
  const forget = onLiveEvent(({ type }) => gather(staleAfter(type)));
  void keepStream(ending.signal, () => void client.invalidateQueries());
  return () => {
    forget();
    ending.abort();
  };
}
