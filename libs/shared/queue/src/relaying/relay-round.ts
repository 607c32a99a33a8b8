import { numbering, type OutboxConsumer, queueOf } from '@eas/contracts';
import { tracer } from '@eas/core';
import { type Database, inFreshIndexOrderSql } from '@eas/db';
import { wakeFollowers } from './followers.sweeper.ts';
import { groupRows } from './group-rows.ts';
import {
  type Backlog,
  type BacklogKey,
  firstBacklogKey,
  claimUnsent,
  type DueJob,
  type DueRow,
  unclaim,
} from './outbox.sweeper.ts';
import { numberEvents } from './numbers.sweeper.ts';
import { maxCapacity, quotasOf, type Capacity, capacityBehind } from './quotas.ts';
import { countRows } from './relay-metrics.ts';
import type { RelayOptions } from './relay-options.ts';
import { backlogsPerRound, keyOf, noSearch, type Search, searchBacklogs } from './search-backlogs.ts';

type CapacityOf = (consumer: OutboxConsumer) => Capacity;

/** The result of a round, and what the next one needs to know. */
export type Round = {
  sent: number;
  /** Whether some backlog has more than its quota, and the largest capacity among their queues. */
  more: 'nothing' | Capacity;
  /** There are backlogs after `last`. */
  isCut: boolean;
  last: BacklogKey;
  search: Search;
  long: LongBacklogs;
};

/** Backlogs that had more than their quota, and when they last got something. */
type LongBacklogs = ReadonlyMap<string, number>;

export const firstRound: Round = {
  sent: 0,
  more: 'nothing',
  isCut: false,
  last: firstBacklogKey,
  search: noSearch,
  long: new Map(),
};

/** Sends the due rows of each backlog, up to its quota, to its queue. Numbers public events per tenant. */
export async function relayRound(options: RelayOptions, before: Round): Promise<Round> {
  const capacityOf = before.more === 'nothing' ? () => 'plenty' as const : await readCapacity(options.queues);
  const { search, quotas, due, woken } = await claim(options.database, before, capacityOf);
  const { backlogs } = search;
  await sendDue(options, [...due.filter(isJob), ...woken]);
  report(
    options,
    due.filter((row) => !isJob(row)),
  );
  const more = backlogs.filter(hasMore(due, quotas));
  const long = longAfter(before, more, due);
  const isCut = backlogs.length >= backlogsPerRound;
  return {
    sent: due.length,
    more: more.length === 0 ? 'nothing' : maxCapacity(more.map(({ consumer }) => capacityOf(consumer))),
    isCut,
    last: (isCut && search.isFull && backlogs.at(-1)) || firstBacklogKey,
    search,
    long,
  };
}

async function claim(database: Database, before: Round, capacityOf: CapacityOf) {
  return database.inTransaction('', async (tx) => {
    await tx.db.query(inFreshIndexOrderSql);
    const search = await searchBacklogs(tx.db, before.search, {
      isContinued: before.isCut || before.last !== firstBacklogKey,
      isBusy: before.sent > 0 || before.more === 'little',
      after: before.last,
    });
    const { backlogs } = search;
    const now = performance.now();
    const waitedMs = (backlog: Backlog) => {
      const servedAt = before.long.get(keyOf(backlog));
      return servedAt === undefined ? undefined : now - servedAt;
    };
    const quotas = quotasOf(backlogs, capacityOf, waitedMs);
    const due = backlogs.length === 0 ? [] : await claimUnsent(tx.db, backlogs, quotas);
    const toNumber = due.flatMap(eventsToNumber);
    const numbered = toNumber.length === 0 ? [] : await numberEvents(tx.db, toNumber);
    const woken = await wakeFollowers(tx, numbered, (consumer) => capacityOf(consumer) === 'plenty');
    for (const { tenantId } of numbered) tx.notify('stream', tenantId);
    return { search, quotas, due, woken };
  });
}

const isJob = (row: DueRow): row is DueJob => row.consumer !== numbering;

/** In the release before, the row of `event.fan_out` had its event numbered when it was sent for the first time. */
function eventsToNumber(row: DueRow): { tenantId: string; eventId: string }[] {
  const { tenantId } = row;
  if (!isJob(row)) return row.eventIds.map((eventId) => ({ tenantId, eventId }));
  return row.consumer === 'event.fan_out' && row.attempts === 0 ? [{ tenantId, eventId: row.eventId }] : [];
}

async function readCapacity(queues: RelayOptions['queues']): Promise<CapacityOf> {
  const depths = await queues.depths();
  return (consumer) => (consumer === numbering ? 'plenty' : capacityBehind(depths[queueOf(consumer)]?.waiting ?? 0));
}

/** The long backlogs of this round, and of the previous one if this round continued it. */
function longAfter({ last, long }: Round, more: readonly Backlog[], due: readonly DueRow[]): LongBacklogs {
  const now = performance.now();
  const served = new Set(due.map(keyOf));
  const after = new Map(last === firstBacklogKey ? [] : long);
  for (const key of served) after.delete(key);
  for (const key of more.map(keyOf)) after.set(key, served.has(key) ? now : (long.get(key) ?? now));
  return after;
}

/** Whether a backlog used its whole quota. */
function hasMore(due: readonly DueRow[], quotas: readonly number[]) {
  const counts = new Map<string, number>();
  for (const row of due) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return (backlog: Backlog, index: number) => (counts.get(keyOf(backlog)) ?? 0) >= (quotas[index] ?? Infinity);
}

async function sendDue(options: RelayOptions, rows: readonly DueJob[]): Promise<void> {
  const { database, queues, logger } = options;
  if (rows.length === 0) return;
  try {
    await queues.send(groupRows(rows));
  } catch (error) {
    await unclaim(database.db, rows).catch((unclaimError: unknown) => {
      logger.warn({ err: unclaimError, count: rows.length }, 'outbox rows not unmarked, will be resent later');
    });
    throw error;
  }
  report(options, rows);
}

function report({ observer }: RelayOptions, rows: readonly DueRow[]): void {
  countRows(observer, rows, 'first');
  for (const row of rows) {
    observer?.onLag(row.consumer, row.lagSeconds);
    traceRelayed(row);
  }
}

/** Records in the trace of an event that it was queued or numbered, and how long that took. */
function traceRelayed({ traceparent, consumer, lagSeconds }: DueRow): void {
  if (!traceparent) return;
  const attributes = { 'eas.consumer': consumer, 'eas.lag_ms': Math.round(lagSeconds * 1_000) };
  tracer()?.start('relay', { parent: traceparent, attributes }).end();
}
