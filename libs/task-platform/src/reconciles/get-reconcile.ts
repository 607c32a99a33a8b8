import { getJob } from '@eas/bulk-jobs';
import type { ReconcileResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { reconcileKind, reconcileResource } from './reconcile.ts';

/** One reconciliation. Throws not_found. */
export async function getReconcile(ctx: UseCaseContext, id: string): Promise<ReconcileResource> {
  return reconcileResource(await getJob(ctx, reconcileKind, id));
}
