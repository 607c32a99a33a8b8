import type { Db } from '@eas/db';
import { type Backlog, type BacklogKey, findBacklogs, refreshBacklogs } from './outbox.sweeper.ts';

/** Maximum number of backlogs in a round; the next round continues after them. */
export const backlogsPerRound = 200;
/**
 * While the known backlogs have something to send, the pause before the next search is this multiple of the last
 * partial one.
 */
const restsPerSearch = 4;
/**
 * A full search reads the index entries of all rows sent since the last vacuum, up to thousands of pages in a busy
 * minute. Until the next one (in ms, and as a multiple of its duration) partial searches reread each known backlog from
 * its position and find others between those.
 */
const fullSearchEveryMs = 1_000;
const restsPerFullSearch = 20;
/**
 * Longest pause, however long a full search took: only it finds rows of transactions that ran for more than a second.
 */
const longestRestMs = 10_000;

/** The backlogs that were found, when, and how long the last search of each kind took. `known` includes empty ones. */
export type Search = {
  backlogs: readonly Backlog[];
  known: readonly Backlog[];
  isNew: boolean;
  isFull: boolean;
  atMs: number;
  partialTookMs: number;
  fullAtMs: number;
  fullTookMs: number;
};

export const noSearch: Search = {
  backlogs: [],
  known: [],
  isNew: true,
  isFull: true,
  atMs: -Infinity,
  partialTookMs: 0,
  fullAtMs: -Infinity,
  fullTookMs: 0,
};

/** Whether the round continues after others (`after`), and whether the known backlogs have something to send. */
type RoundState = { isContinued: boolean; isBusy: boolean; after: BacklogKey };

export const keyOf = ({ consumer, tenantId }: BacklogKey) => `${consumer} ${tenantId}`;

/** Requires `inFreshIndexOrderSql` in the transaction. */
export async function searchBacklogs(
  db: Db,
  before: Search,
  { isContinued, isBusy, after }: RoundState,
): Promise<Search> {
  const atMs = performance.now();
  if (isBusy && !isContinued && atMs - before.atMs < before.partialTookMs * restsPerSearch)
    return { ...before, isNew: false };
  const restMs = Math.min(before.fullTookMs * restsPerFullSearch, longestRestMs);
  const fullEveryMs = Math.max(fullSearchEveryMs, restMs);
  const isFull = isContinued || atMs - before.fullAtMs >= fullEveryMs;
  const found = isFull
    ? await findBacklogs(db, after, backlogsPerRound)
    : await refreshBacklogs(db, before.known, backlogsPerRound);
  const tookMs = performance.now() - atMs;
  const keys = new Set(found.map(keyOf));
  return {
    ...before,
    backlogs: found.filter(({ isEmpty }) => !isEmpty),
    known: [...found, ...before.known.filter((known) => !keys.has(keyOf(known)))].slice(0, backlogsPerRound),
    isNew: true,
    isFull,
    atMs,
    ...(isFull ? { fullAtMs: atMs, fullTookMs: tookMs } : { partialTookMs: tookMs }),
  };
}
