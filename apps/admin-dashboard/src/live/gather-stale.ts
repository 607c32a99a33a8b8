import type { Resource } from './stale-after.ts';

/** Pages read again at most this often, however many events come. */
export const gatherMs = 400;

export type Timer = { start: (work: () => void, ms: number) => void };

/** Marks at once what the first event made stale, then what came meanwhile, once every `gatherMs`. */
export function gatherStale(markStale: (resource: Resource) => void, timer: Timer) {
  const waiting = new Set<Resource>();
  let isResting = false;

  function flush(): void {
    isResting = waiting.size > 0;
    if (!isResting) return;
    waiting.forEach(markStale);
    waiting.clear();
    timer.start(flush, gatherMs);
  }

  return (resources: readonly Resource[]): void => {
    resources.forEach((resource) => waiting.add(resource));
    if (!isResting) flush();
  };
}
