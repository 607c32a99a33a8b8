import { LRUCache } from 'lru-cache';

/** Endpoints of which a fan-out of this process just left due deliveries to the jobs in hand, because those are enough. */
export type LeftBehind = { add(endpointId: string): void; has(endpointId: string): boolean };

/** Longer than a fan-out takes to commit, and than its jobs in hand take; then the sweep has found the rows. */
const rememberedMs = 1_000;
const maxRemembered = 10_000;

export function createLeftBehind(): LeftBehind {
  const endpoints = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedMs });
  return {
    add: (endpointId) => void endpoints.set(endpointId, true),
    has: (endpointId) => endpoints.has(endpointId),
  };
}
