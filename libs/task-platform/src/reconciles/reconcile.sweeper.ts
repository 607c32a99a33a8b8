import { removeOldJobs } from '@eas/bulk-jobs';
import type { Db } from '@eas/db';
import { reconcileKind } from './reconcile.ts';

const keptDays = 90;

/** Removes reconciliations that ended long ago. Returns their number. */
export const sweepOldReconciles = (db: Db, signal?: AbortSignal): Promise<number> =>
  removeOldJobs(db, reconcileKind, { keptDays, signal });
