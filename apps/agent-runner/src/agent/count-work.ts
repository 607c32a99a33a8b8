import type { LeaseKeeper } from '../lease/lease-keeper.ts';

/** Counts the time that the lease runs; time spent waiting for a person does not count. Returns what ends it. */
export function countWork(keeper: Pick<LeaseKeeper, 'state'>, limitMs: number, onOver: () => void): () => void {
  const tickMs = Math.min(1_000, limitMs / 10);
  let workedMs = 0;
  const tick = setInterval(() => {
    if (keeper.state() === 'running') workedMs += tickMs;
    if (workedMs < limitMs) return;
    clearInterval(tick);
    onOver();
  }, tickMs);
  return () => clearInterval(tick);
}
