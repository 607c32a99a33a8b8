import type { Resource } from './stale-after.ts';

/** Milliseconds between two reads of the same query. */
export const pauses = {
  /** With the time of reading, a change is on the page within a second. */
  quick: 700,
  /** Expensive summaries, which would use up the rate limit of a session. */
  slow: 5_000,
} as const;
export type Pace = keyof typeof pauses;

/** For a query that need not follow each of many events. */
export const slow = { meta: { pace: 'slow' } } as const satisfies { meta: { pace: Pace } };

export type Timer = (work: () => void, ms: number) => void;

/** Invalidates at once for the first event, then once a pause for all events since. */
export function gatherStale(markStale: (resource: Resource) => void, timer: Timer, pauseMs: number) {
  const waiting = new Set<Resource>();
  let isPaused = false;

  function flush(): void {
    isPaused = waiting.size > 0;
    if (!isPaused) return;
    const gathered = [...waiting];
    waiting.clear();
    gathered.forEach(markStale);
    timer(flush, pauseMs);
  }

  return (resources: readonly Resource[]): void => {
    resources.forEach((resource) => waiting.add(resource));
    if (!isPaused) flush();
  };
}

/** Calls `work` some time after the first call, once for all calls until then. */
export function gatherLate(work: () => void, timer: Timer, ms: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    timer(() => {
      isWaiting = false;
      work();
    }, ms);
  };
}
