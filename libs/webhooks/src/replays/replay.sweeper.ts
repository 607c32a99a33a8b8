import { nextJobAt, sweepJob } from '@eas/bulk-jobs';
import type { Db, Tx } from '@eas/db';
import { replayKind } from './replay-kind.ts';

/** Makes the next deliveries of a replay due. Returns their number; undefined when no replay is due. */
export const sweepReplay = (tx: Tx): Promise<number | undefined> => sweepJob(tx, replayKind);

export const nextReplayAt = (db: Db): Promise<Date | null> => nextJobAt(db, replayKind);
