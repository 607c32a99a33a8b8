import { setTimeout as delay } from 'node:timers/promises';
import { addressBlock, AppError, createPace } from '@eas/core';
import { LRUCache } from 'lru-cache';

/** Look-ups of credentials that are not known yet: credentials, one-time links, codes. Per address. */
export type LookUps = {
  /** Whether the address has failed too often recently, so that `ask` waits or throws. Costs nothing while none has. */
  isPaced(address: string): boolean;
  /**
   * Called before a look-up. Waits or throws rate_limited while the address has failed too often, without using the
   * store.
   */
  ask(address: string): Promise<void>;
  /** Counts a failed look-up. Throws rate_limited beyond the limit. */
  count(address: string): Promise<void>;
};

/** Look-ups of an address that failed too often: a client that shares it with a guesser still gets in. */
const perSecond = 10;
const longestWaitMs = 400;
const maxAddresses = 10_000;

export function createLookUps(countFailure: (address: string) => Promise<void>): LookUps {
  const refused = new LRUCache<string, AppError>({ max: maxAddresses });
  const pace = createPace({ perSecond, burst: 1 });
  return {
    isPaced: (address) => refused.size > 0 && refused.has(addressBlock(address)),
    async ask(address) {
      const block = addressBlock(address);
      const error = refused.get(block);
      if (!error) return;
      if (pace.waitMs(block) > longestWaitMs) throw error;
      await delay(pace.take(block, 1));
    },
    async count(address) {
      try {
        await countFailure(address);
      } catch (error) {
        if (error instanceof AppError)
          refused.set(addressBlock(address), error, { ttl: Number(error.headers['Retry-After'] ?? 1) * 1_000 });
        throw error;
      }
    },
  };
}
