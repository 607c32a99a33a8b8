import type { ReconcileResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { noReconcile, reconcileResource } from './reconcile.ts';
import { findReconcile } from './reconcile.read-model.ts';

/** One reconciliation. Throws not_found. */
export async function getReconcile(ctx: UseCaseContext, id: string): Promise<ReconcileResource> {
  const row = await findReconcile(ctx, id);
  if (!row) throw noReconcile();
  return reconcileResource(row);
}
