import { sweepJob } from '@eas/bulk-jobs';
import type { Tx } from '@eas/db';
import { replayKind } from './replay-kind.ts';

/** Makes the next deliveries of a replay due. Returns their number; undefined when no replay is due. */
export const sweepReplay = (tx: Tx): Promise<number | undefined> => sweepJob(tx, replayKind);
