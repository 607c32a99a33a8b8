import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@eas/core';
import type { Db } from '../connection/db.ts';
import {
  countDead,
  countUnfinished,
  dropMonth,
  findUnconsumed,
  type OldMonth,
  readOldMonths,
} from './old-month.sweeper.ts';
import {
  type Deleted,
  deleteOldDefaults,
  deleteOldNumbers,
  nextNumberedTenant,
  readNumbersBound,
} from './old-row.sweeper.ts';
import { daysOf, type HistoryRetention, retainedTables, type RetainedTable } from './retention.ts';

export type RetentionObserver = {
  onMonthDropped(table: RetainedTable): void;
  onRowsDeleted(table: string, rows: number): void;
  /** Deliveries that were pending or held when they were removed. */
  onUnfinishedDropped(deliveries: number): void;
};

export type HistorySweep = {
  retention: HistoryRetention;
  logger: Logger;
  observer: RetentionObserver;
  /** Ends it between two statements. */
  signal: AbortSignal;
};

/** Pause between two batches, for other work. */
const pauseMs = 20;

/**
 * Removes events, deliveries, attempts and sessions that are older than their limits: whole months, then rows of the
 * default partitions, then the numbers of removed events. The next run can continue after any statement. Throws when a
 * table is not free for 2 s.
 */
export async function sweepHistory(db: Db, sweep: HistorySweep): Promise<void> {
  await dropOldMonths(db, sweep);
  for (const table of retainedTables) {
    const days = daysOf(sweep.retention, table);
    if (days > 0) await deleteAll(sweep, table, () => deleteOldDefaults(db, table, days));
  }
  if (sweep.retention.eventDays > 0) await deleteNumbers(db, sweep);
}

async function dropOldMonths(db: Db, sweep: HistorySweep): Promise<void> {
  for (const month of await readOldMonths(db, sweep.retention)) {
    if (sweep.signal.aborted) return;
    if (month.table === 'events' && (await isInUse(db, month, sweep))) continue;
    await drop(db, month, sweep);
  }
}

async function drop(db: Db, old: OldMonth, { logger, observer }: HistorySweep): Promise<void> {
  const { table, month, estimatedRows } = old;
  const { pending, held } = table === 'deliveries' ? await countUnfinished(db, old) : { pending: 0, held: 0 };
  if (!(await dropMonth(db, old))) return;
  observer.onMonthDropped(table);
  observer.onUnfinishedDropped(pending + held);
  if (pending + held > 0)
    logger.warn({ table, month, estimatedRows, pending, held }, 'month dropped with open deliveries');
  else logger.info({ table, month, estimatedRows }, 'month dropped');
}

/** Events that are kept when their month is dropped: writes of events wait in the meantime. */
const maxKept = 10_000;

/**
 * An event that is pending for a consumer keeps its month. Those that a consumer gave up on, or that a delivery still has
 * to send, outlive it, unless they are many.
 */
async function isInUse(db: Db, old: OldMonth, { logger }: HistorySweep): Promise<boolean> {
  const { table, month } = old;
  const unconsumed = await findUnconsumed(db, old);
  if (unconsumed) {
    logger.warn({ table, month, ...unconsumed }, 'month kept: an event has not been processed');
    return true;
  }
  const dead = await countDead(db, old);
  const { pending, held } = await countUnfinished(db, old);
  const isKept = dead + pending + held > maxKept;
  if (isKept) logger.warn({ table, month, dead, pending, held }, 'month kept: many of its events are needed');
  return isKept;
}

async function deleteNumbers(db: Db, sweep: HistorySweep): Promise<void> {
  const bound = await readNumbersBound(db, sweep.retention.eventDays);
  let tenantId: string | undefined = '';
  while ((tenantId = await nextNumberedTenant(db, tenantId, bound)) !== undefined && !sweep.signal.aborted) {
    const own = tenantId;
    let last = -1;
    await deleteAll(sweep, 'event_numbers', async () => {
      const deleted = await deleteOldNumbers(db, own, last, bound);
      last = deleted.last;
      return deleted;
    });
  }
}

/** Runs batches until one is not full. */
async function deleteAll(
  { logger, observer, signal }: HistorySweep,
  table: RetainedTable | 'event_numbers',
  deleteSome: () => Promise<Deleted>,
): Promise<void> {
  let rows = 0;
  let unfinished = 0;
  let isMore = true;
  while (isMore && !signal.aborted) {
    const deleted = await deleteSome();
    rows += deleted.rows;
    unfinished += deleted.unfinished;
    observer.onRowsDeleted(table, deleted.rows);
    observer.onUnfinishedDropped(deleted.unfinished);
    isMore = deleted.isMore;
    if (isMore) await pause(pauseMs);
  }
  if (rows === 0) return;
  if (unfinished > 0) logger.warn({ table, rows, unfinished }, 'old rows deleted with open deliveries');
  else logger.info({ table, rows }, 'old rows deleted');
}
