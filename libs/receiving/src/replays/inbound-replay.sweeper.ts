import { nextJobAt, sweepJob } from '@eas/bulk-jobs';
import type { Db, Tx } from '@eas/db';
import { inboundReplayKind } from './inbound-replay-kind.ts';

/** Sets the next receipts of a replay back. Returns their number; undefined when no replay is due. */
export const sweepInboundReplay = (tx: Tx): Promise<number | undefined> => sweepJob(tx, inboundReplayKind);

export const nextInboundReplayAt = (db: Db): Promise<Date | null> => nextJobAt(db, inboundReplayKind);
