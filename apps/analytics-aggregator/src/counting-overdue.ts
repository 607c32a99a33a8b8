import { nextOverdueAt, sweepOverdue } from '@eas/analytics';
import { type Database, sweepEach } from '@eas/db';
import { type IdleWatch, type Loop, type ProcessParts, startLoop } from '@eas/runtime';

const countMs = 60_000;

/** Counts tasks that have become due, so that reading how many are overdue takes the same time however many there are. */
export const startCountingOverdue = (
  database: Database,
  { logger, idleWatch }: Pick<ProcessParts<unknown>, 'logger'> & { idleWatch: IdleWatch },
): Loop =>
  startLoop({
    name: 'overdue',
    everyMs: countMs,
    run: () => sweepEach(database, sweepOverdue),
    logger,
    pause: { watch: idleWatch, nextDueAt: () => nextOverdueAt(database.db) },
  });
