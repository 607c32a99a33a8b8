import type { DbScope } from '@eas/db';
import type { ReconcileCursor } from './reconcile.ts';

const moveSql = `
  UPDATE platform_reconciles SET cursor = $3::json, seen = seen + $4, created = created + $5, updated = updated + $6,
    unchanged = unchanged + $7, failed = failed + $8, updated_at = app_now()
  WHERE tenant_id = $1 AND id = $2 AND status = 'running'`;

export type ReconcileStep = Record<'seen' | 'created' | 'updated' | 'unchanged' | 'failed', number> & {
  cursor: ReconcileCursor;
};

/** Keeps how far a reconciliation came, in the transaction that applies what it read. */
export async function moveReconcile({ db, tenantId }: DbScope, id: string, step: ReconcileStep): Promise<void> {
  const { cursor, seen, created, updated, unchanged, failed } = step;
  await db.query(moveSql, [tenantId, id, JSON.stringify(cursor), seen, created, updated, unchanged, failed]);
}
