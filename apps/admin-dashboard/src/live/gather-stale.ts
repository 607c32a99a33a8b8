import type { Resource } from './stale-after.ts';

/** Pages read again at most this often: at once as a rule, and the less often the longer events keep coming. */
const quickMs = 400;
const slowMs = 5_000;
/** So many times in the last `windowMs` are made quickly; then each waits twice as long as the one before. */
const quickTimes = 4;
const windowMs = 20_000;

export type Timer = { start: (work: () => void, ms: number) => void; nowMs: () => number };

/** Marks at once what the first event made stale, then what came meanwhile, once in a while. */
export function gatherStale(markStale: (resource: Resource) => void, timer: Timer) {
  const waiting = new Set<Resource>();
  let marked: number[] = [];
  let isResting = false;

  function flush(): void {
    isResting = waiting.size > 0;
    if (!isResting) return;
    const gathered = [...waiting];
    waiting.clear();
    gathered.forEach(markStale);
    const now = timer.nowMs();
    marked = [...marked.filter((at) => at > now - windowMs), now];
    timer.start(flush, Math.min(slowMs, quickMs * 2 ** Math.max(0, marked.length - quickTimes)));
  }

  return (resources: readonly Resource[]): void => {
    resources.forEach((resource) => waiting.add(resource));
    if (!isResting) flush();
  };
}

/** Calls `work` some time after the first call, once for all calls until then. */
export function gatherLate(work: () => void, timer: Timer, ms: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    timer.start(() => {
      isWaiting = false;
      work();
    }, ms);
  };
}
