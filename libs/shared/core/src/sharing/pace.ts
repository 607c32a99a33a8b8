export type Pace = {
  /** Books the amount and returns how many ms the key has to wait for it: 0 while it is within its rate. */
  take(key: string, amount: number): number;
  waitMs(key: string): number;
};

/** A key may take `perSecond` continuously, and `burst` at once after it was idle. `nowMs` is for tests. */
export type PaceOptions = { perSecond: number; burst: number; nowMs?: () => number };

/** Idle keys are forgotten each time that this number of keys was added. */
const sweepAfter = 1_000;

/**
 * Token buckets, each stored as the time at which it will be full again (the generic cell rate algorithm). A booking
 * cannot be undone.
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
