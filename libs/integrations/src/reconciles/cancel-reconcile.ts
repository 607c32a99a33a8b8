import type { ReconcileResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getReconcile } from './get-reconcile.ts';
import { endReconcile } from './reconcile.store.ts';

/** Ends a running reconciliation; what it repaired stays. Throws not_found, conflict `state` for one that has ended. */
export async function cancelReconcile(ctx: UseCaseContext, id: string): Promise<ReconcileResource> {
  const isEnded = await ctx.inTransaction((tx) => endReconcile(tx, id, { status: 'cancelled' }));
  const reconcile = await getReconcile(ctx, id);
  if (isEnded) return reconcile;
  const message = `The reconciliation is ${reconcile.status} already.`;
  throw new AppError('conflict', { field: 'status', constraint: 'state', message });
}
