import { LRUCache } from 'lru-cache';

/**
 * Endpoints for which a fan-out of this process just left due deliveries to the running jobs, because these are enough.
 */
export type LeftBehind = { add(endpointId: string): void; has(endpointId: string): boolean };

/** Longer than the commit of a fan-out and its running jobs take; after that the sweep has found the rows. */
const rememberedMs = 1_000;
const maxRemembered = 10_000;

export function createLeftBehind(): LeftBehind {
  const endpoints = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedMs });
  return {
    add: (endpointId) => void endpoints.set(endpointId, true),
    has: (endpointId) => endpoints.has(endpointId),
  };
}
