import type { Db } from '@eas/db';
import { type Backlog, type BacklogPlace, findBacklogs, findBacklogsBeside } from './outbox.sweeper.ts';

/** Backlogs of a round; the next round goes on behind them. */
export const backlogsPerRound = 200;
/** The rest between two searches, in times of what one beside the known backlogs took, while those have something to send. */
const restsPerSearch = 4;
/**
 * A whole search reads past all that was sent since the last vacuum, up to thousands of pages in a busy minute. Between
 * two of them (ms, and in times of what one took) each known backlog is read from where it was, and others are looked for
 * beside those.
 */
const wholeSearchEveryMs = 1_000;
const restsPerWholeSearch = 20;
/** However long one took, also as nothing else had a turn: only it finds what a transaction of more than a second has written. */
const longestRestMs = 10_000;

/** The backlogs that were found, when, and how long the last search of each kind took. `known`: those too that have nothing now. */
export type Search = {
  backlogs: readonly Backlog[];
  known: readonly Backlog[];
  isNew: boolean;
  isWhole: boolean;
  atMs: number;
  besideTookMs: number;
  wholeAtMs: number;
  wholeTookMs: number;
};

export const noSearch: Search = {
  backlogs: [],
  known: [],
  isNew: true,
  isWhole: true,
  atMs: -Infinity,
  besideTookMs: 0,
  wholeAtMs: -Infinity,
  wholeTookMs: 0,
};

/** How the round stands: whether it goes on behind others (`after`), and whether the known backlogs have something to send. */
type Standing = { goesOn: boolean; isBusy: boolean; after: BacklogPlace };

export const keyOf = ({ consumer, tenantId }: BacklogPlace) => `${consumer} ${tenantId}`;

/** In a transaction that plans by indexes. */
export async function searchBacklogs(db: Db, before: Search, { goesOn, isBusy, after }: Standing): Promise<Search> {
  const atMs = performance.now();
  if (isBusy && !goesOn && atMs - before.atMs < before.besideTookMs * restsPerSearch)
    return { ...before, isNew: false };
  const restMs = Math.min(before.wholeTookMs * restsPerWholeSearch, longestRestMs);
  const wholeEveryMs = Math.max(wholeSearchEveryMs, restMs);
  const isWhole = goesOn || atMs - before.wholeAtMs >= wholeEveryMs;
  const found = isWhole
    ? await findBacklogs(db, after, backlogsPerRound)
    : await findBacklogsBeside(db, before.known, backlogsPerRound);
  const tookMs = performance.now() - atMs;
  const keys = new Set(found.map(keyOf));
  return {
    ...before,
    backlogs: found.filter(({ isEmpty }) => !isEmpty),
    known: [...found, ...before.known.filter((known) => !keys.has(keyOf(known)))].slice(0, backlogsPerRound),
    isNew: true,
    isWhole,
    atMs,
    ...(isWhole ? { wholeAtMs: atMs, wholeTookMs: tookMs } : { besideTookMs: tookMs }),
  };
}
