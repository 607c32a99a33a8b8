import { cancelJob } from '@eas/bulk-jobs';
import type { ReconcileResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { reconcileKind, reconcileResource } from './reconcile.ts';

/** Ends a running reconciliation; what it repaired stays. Throws not_found, conflict `state` for one that has ended. */
export async function cancelReconcile(ctx: UseCaseContext, id: string): Promise<ReconcileResource> {
  return reconcileResource(await cancelJob(ctx, reconcileKind, id));
}
