import { type Consumer, publicEventConsumer, queueOf } from '@eas/contracts';
import { tracer } from '@eas/core';
import type { Database, Db } from '@eas/db';
import { groupRows } from './group-rows.ts';
import {
  type Backlog,
  type BacklogPlace,
  beforeAllBacklogs,
  claimUnsent,
  type DueRow,
  findBacklogs,
  indexOrderSql,
  numberEvents,
  unclaim,
} from './outbox.sweeper.ts';
import { quotasOf, type Room, roomBehind } from './quotas.ts';
import { countRows } from './relay-metrics.ts';
import type { RelayOptions } from './relay-options.ts';

/** Backlogs of a round; the next round goes on behind them. */
const backlogsPerRound = 200;
/**
 * Finding backlogs reads past all that was sent since the last vacuum, up to thousands of pages in a busy minute. So while
 * the known ones have something to send, they are looked for again after so many times as long as that took.
 */
const restsPerSearch = 4;

type RoomOf = (consumer: Consumer) => Room;

/** What a round did, and what the next one has to know of it. */
export type Round = {
  sent: number;
  /** Whether some backlog has more than its quota, `ready` where its queue has plenty of room. */
  more: 'none' | 'ready' | 'full';
  /** There are backlogs behind `last`. */
  isCut: boolean;
  last: BacklogPlace;
  search: Search;
};

/** The backlogs that were found, when, and how long that took. */
type Search = { backlogs: readonly Backlog[]; isNew: boolean; atMs: number; tookMs: number };

const noSearch: Search = { backlogs: [], isNew: true, atMs: -Infinity, tookMs: 0 };
export const firstRound: Round = { sent: 0, more: 'none', isCut: false, last: beforeAllBacklogs, search: noSearch };

/** Takes what is due of each backlog, up to its quota, to its queue. Numbers public events per tenant. */
export async function relayRound(options: RelayOptions, before: Round): Promise<Round> {
  const roomOf = before.more === 'none' ? () => 'plenty' as const : await findRoom(options.queues);
  const { search, quotas, due } = await claim(options.database, before, roomOf);
  const { backlogs } = search;
  await sendDue(
    options,
    due.filter(({ isUnsubscribed }) => !isUnsubscribed),
  );
  const more = backlogs.filter(hasMore(due, quotas));
  const isCut = backlogs.length === backlogsPerRound;
  return {
    sent: due.length,
    more: more.length === 0 ? 'none' : more.some(({ consumer }) => roomOf(consumer) === 'plenty') ? 'ready' : 'full',
    isCut,
    last: (isCut && backlogs.at(-1)) || beforeAllBacklogs,
    search,
  };
}

async function claim(database: Database, before: Round, roomOf: RoomOf) {
  return database.inTransaction('', async (tx) => {
    await tx.db.query(indexOrderSql);
    const search = await searchBacklogs(tx.db, before);
    const { backlogs } = search;
    const quotas = quotasOf(backlogs, roomOf);
    const due = backlogs.length === 0 ? [] : await claimUnsent(tx.db, backlogs, quotas);
    const toNumber = due.filter(({ consumer, attempts }) => consumer === publicEventConsumer && attempts === 0);
    if (toNumber.length > 0) {
      await numberEvents(tx.db, toNumber);
      for (const tenantId of new Set(toNumber.map((row) => row.tenantId))) tx.notify('stream', tenantId);
    }
    return { search, quotas, due };
  });
}

async function searchBacklogs(db: Db, { sent, isCut, last, search }: Round): Promise<Search> {
  const atMs = performance.now();
  const isRecent = atMs - search.atMs < search.tookMs * restsPerSearch;
  if (sent > 0 && !isCut && last === beforeAllBacklogs && isRecent) return { ...search, isNew: false };
  const backlogs = await findBacklogs(db, last, backlogsPerRound);
  return { backlogs, isNew: true, atMs, tookMs: performance.now() - atMs };
}

async function findRoom(queues: RelayOptions['queues']): Promise<RoomOf> {
  const depths = await queues.depths();
  return (consumer) => roomBehind(depths[queueOf(consumer)]?.waiting ?? 0);
}

/** Of the backlogs whose quotas were claimed whole. */
function hasMore(due: readonly DueRow[], quotas: readonly number[]) {
  const counts = new Map<string, number>();
  const keyOf = ({ consumer, tenantId }: BacklogPlace) => `${consumer} ${tenantId}`;
  for (const row of due) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return (backlog: Backlog, index: number) => (counts.get(keyOf(backlog)) ?? 0) >= (quotas[index] ?? Infinity);
}

async function sendDue({ database, queues, logger, observer }: RelayOptions, rows: readonly DueRow[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await queues.send(groupRows(rows));
  } catch (error) {
    await unclaim(database.db, rows).catch((unclaimError: unknown) => {
      logger.warn({ err: unclaimError, count: rows.length }, 'outbox rows not unmarked, will be resent later');
    });
    throw error;
  }
  countRows(observer, rows, 'first');
  for (const row of rows) {
    observer?.onLag(row.consumer, row.lagSeconds);
    traceRelayed(row);
  }
}

/** Shows in the trace of an event that it is in its queue, and how long it waited for that. */
function traceRelayed({ traceparent, consumer, lagSeconds }: DueRow): void {
  if (!traceparent) return;
  const attributes = { 'eas.consumer': consumer, 'eas.lag_ms': Math.round(lagSeconds * 1_000) };
  tracer()?.start('relay', { parent: traceparent, attributes }).end();
}
