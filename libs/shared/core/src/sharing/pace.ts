export type Pace = {
  /** Books the amount and returns how many ms the key has to wait for it: 0 while it keeps to its pace. */
  take(key: string, amount: number): number;
  waitMs(key: string): number;
};

/** A key may take `perSecond` on and on, and `burst` at once after a rest. `nowMs` is for tests. */
export type PaceOptions = { perSecond: number; burst: number; nowMs?: () => number };

/** Keys that have rested are forgotten whenever so many more have come. */
const sweepAfter = 1_000;

/**
 * Token buckets, kept as the one moment at which a key's bucket will be full again (the generic cell rate algorithm).
 * What was booked and is not used after all stays booked.
 */
export function createPace({ perSecond, burst, nowMs = () => performance.now() }: PaceOptions): Pace {
  const fullAtMs = new Map<string, number>();
  const burstMs = (burst / perSecond) * 1_000;
  let sweepAtSize = sweepAfter;

  function sweep(now: number): void {
    for (const [key, at] of fullAtMs) if (at <= now) fullAtMs.delete(key);
    sweepAtSize = fullAtMs.size + sweepAfter;
  }

  const waitOf = (at: number, now: number) => Math.max(0, at - burstMs - now);

  return {
    take(key, amount) {
      const now = nowMs();
      const at = Math.max(fullAtMs.get(key) ?? now, now) + (amount / perSecond) * 1_000;
      fullAtMs.set(key, at);
      if (fullAtMs.size >= sweepAtSize) sweep(now);
      return waitOf(at, now);
    },
    waitMs(key) {
      const now = nowMs();
      return waitOf(fullAtMs.get(key) ?? now, now);
    },
  };
}
