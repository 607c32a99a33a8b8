import { LRUCache } from 'lru-cache';
import { slowMs } from './transport.ts';

/** `durationMs`: of a request. */
export type Timed = { durationMs: number };

/**
 * How many batches for each destination this process sends at a time: any number, but only a few while its receiver is
 * slow.
 */
export type DestinationPaces = {
  /** Undefined when the maximum number for its receiver is sent. Call the result with the attempts of the batch. */
  tryEnter(destination: string): ((attempts: readonly Timed[]) => void) | undefined;
  /** Its last batches were slow. */
  isSlow(destination: string): boolean;
};

type Pace = { cap: number; running: number };

/** Maximum number of remembered destinations; others begin without a cap. */
const maxRemembered = 10_000;

/**
 * A batch with a slow attempt halves the cap of its destination, down to one at a time; each quick one raises it by one, until it is
 * `unlimited` and there is no cap.
 */
export function createDestinationPaces(unlimited: number): DestinationPaces {
  const paces = new LRUCache<string, Pace>({ max: maxRemembered });
  const next = (cap: number, attempts: readonly Timed[]) =>
    attempts.some(({ durationMs }) => durationMs > slowMs)
      ? Math.max(1, Math.floor(cap / 2))
      : Math.min(unlimited, cap + 1);
  return {
    isSlow: (destination) => (paces.get(destination)?.cap ?? unlimited) < unlimited,
    tryEnter(destination) {
      const pace = paces.get(destination) ?? { cap: unlimited, running: 0 };
      if (pace.cap < unlimited && pace.running >= pace.cap) return undefined;
      pace.running += 1;
      paces.set(destination, pace);
      return (attempts) => {
        pace.running -= 1;
        if (attempts.length > 0) pace.cap = next(pace.cap, attempts);
        if (pace.running === 0 && pace.cap === unlimited) paces.delete(destination);
      };
    },
  };
}
