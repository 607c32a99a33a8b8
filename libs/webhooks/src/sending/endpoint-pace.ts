import { slowMs } from '@eas/outbound';
import { LRUCache } from 'lru-cache';
import { maxJobsAtOnce } from '../deliveries/sending-limits.ts';
import type { Attempt } from './verdict.ts';

/**
 * How many jobs of each endpoint this process runs at a time: any number, but only a few while its receiver is slow.
 */
export type EndpointPaces = {
  /** Undefined when the maximum number for its receiver is running. Call the result with the attempts of the job. */
  tryEnter(endpointId: string): ((attempts: readonly Attempt[]) => void) | undefined;
  /** Its last jobs were slow. */
  isSlow(endpointId: string): boolean;
};

type Pace = { cap: number; running: number };

/** Maximum number of remembered endpoints; others begin without a cap. */
const maxRemembered = 10_000;

/**
 * A job with a slow attempt halves the cap of its endpoint, down to one job at a time; each quick one raises it by one, until there is
 * no cap.
 */
export function createEndpointPaces(): EndpointPaces {
  const paces = new LRUCache<string, Pace>({ max: maxRemembered });
  return {
    isSlow: (endpointId) => (paces.get(endpointId)?.cap ?? maxJobsAtOnce) < maxJobsAtOnce,
    tryEnter(endpointId) {
      const pace = paces.get(endpointId) ?? { cap: maxJobsAtOnce, running: 0 };
      if (pace.cap < maxJobsAtOnce && pace.running >= pace.cap) return undefined;
      pace.running += 1;
      paces.set(endpointId, pace);
      return (attempts) => {
        pace.running -= 1;
        if (attempts.length > 0) pace.cap = nextCap(pace.cap, attempts);
        if (pace.running === 0 && pace.cap === maxJobsAtOnce) paces.delete(endpointId);
      };
    },
  };
}

function nextCap(cap: number, attempts: readonly Attempt[]): number {
  const isSlow = attempts.some(({ result }) => result.durationMs > slowMs);
  return isSlow ? Math.max(1, Math.floor(cap / 2)) : Math.min(maxJobsAtOnce, cap + 1);
}
