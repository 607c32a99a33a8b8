import { LRUCache } from 'lru-cache';

/**
 * Endpoints for which a fan-out of this process just left due deliveries to the running jobs, because these are enough.
 */
export type LeftBehind = LRUCache<string, true>;

/** Longer than the commit of a fan-out and its running jobs take; after that the sweep has found the rows. */
const rememberedMs = 1_000;
const maxRemembered = 10_000;

export const createLeftBehind = (): LeftBehind => new LRUCache({ max: maxRemembered, ttl: rememberedMs });
