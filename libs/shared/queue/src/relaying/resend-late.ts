import { type Consumer, consumers, queueOf } from '@eas/contracts';
import { groupRows } from './group-rows.ts';
import { bringBack, claimLate, unmarkToNumber } from './outbox.sweeper.ts';
import { countRows } from './relay-metrics.ts';
import type { RelayOptions } from './relay-options.ts';

const batchRows = 2_000;
const batchesPerResend = 10;
/**
 * A queue with this number of waiting jobs has not lost them: its rows are resent only after `deepResendFactor` times
 * as long.
 */
const deepQueueJobs = 100;
const deepResendFactor = 20;
/** With this number of waiting jobs nothing is resent: it would only wait behind the rest. */
const fullQueueJobs = 1_000;

/** Resends what a lost queue store or worker did not process, and what a clock that was ahead has postponed. */
export async function resendLate(options: RelayOptions): Promise<void> {
  const { database, queues, logger, resendAfterMs = 15_000 } = options;
  const brought = await database.inTransaction('', ({ db }) => bringBack(db, batchRows));
  if (brought > 0) logger.warn({ rows: brought }, 'outbox rows due too late, clock was ahead');
  const unmarked = await database.inTransaction('', ({ db }) => unmarkToNumber(db, batchRows, resendAfterMs));
  if (unmarked > 0) logger.warn({ rows: unmarked }, 'outbox rows marked by another release');
  const depths = await queues.depths();
  const waiting = (consumer: Consumer) => depths[queueOf(consumer)]?.waiting ?? 0;
  const shallow = consumers.filter((consumer) => waiting(consumer) < deepQueueJobs);
  const deep = consumers.filter((one) => waiting(one) >= deepQueueJobs && waiting(one) < fullQueueJobs);
  const total =
    (await resendOf(options, resendAfterMs, shallow)) +
    (await resendOf(options, resendAfterMs * deepResendFactor, deep));
  if (total > 0) logger.warn({ rows: total }, 'unconsumed outbox rows resent');
}

async function resendOf(
  { database, queues, observer }: RelayOptions,
  ageMs: number,
  among: readonly Consumer[],
): Promise<number> {
  let total = 0;
  for (let batch = 0; among.length > 0 && batch < batchesPerResend; batch += 1) {
    const rows = await database.inTransaction('', ({ db }) => claimLate(db, batchRows, ageMs, among));
    if (rows.length > 0) await queues.send(groupRows(rows, { isAgain: true }));
    countRows(observer, rows, 'again');
    total += rows.length;
    if (rows.length < batchRows) break;
  }
  return total;
}
