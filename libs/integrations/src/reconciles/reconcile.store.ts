import { AppError } from '@eas/core';
import { type DbScope, type Tx } from '@eas/db';
import type { Reconcile, ReconcileCursor } from './reconcile.ts';
import { findRunningReconcile } from './reconcile.read-model.ts';

const insertSql = `
  INSERT INTO platform_reconciles (tenant_id, id, integration_id, since, until, created_by, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING RETURNING id`;

/** Adds a running reconciliation. Throws conflict `limit` when the integration has one. */
export async function insertReconcile(tx: Tx, row: Reconcile): Promise<void> {
  const { id, integrationId, since, until, createdBy, createdAt } = row;
  const values = [tx.tenantId, id, integrationId, since, until, createdBy, createdAt];
  if ((await tx.db.query(insertSql, values)).length > 0) return;
  const running = await findRunningReconcile(tx, integrationId);
  const message = `The reconciliation ${running ?? ''} is running. Cancel it, or wait for it to complete.`;
  throw new AppError('conflict', { field: '', constraint: 'limit', message });
}

const endSql = `
  UPDATE platform_reconciles SET status = $3, last_error = coalesce($4, last_error), updated_at = app_now(),
    finished_at = app_now()
  WHERE tenant_id = $1 AND id = $2 AND status = 'running' RETURNING id`;

type End = { status: 'completed' | 'cancelled' | 'failed'; error?: string };

/** Ends a running reconciliation. False: it has ended already, or does not exist. */
export async function endReconcile({ db, tenantId }: DbScope, id: string, { status, error }: End): Promise<boolean> {
  return (await db.query(endSql, [tenantId, id, status, error ?? null])).length > 0;
}

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

const errorSql = `UPDATE platform_reconciles SET last_error = $3 WHERE tenant_id = $1 AND id = $2 AND status = 'running'`;

/** Why its last call failed; the next one may not. */
export async function saveReconcileError({ db, tenantId }: DbScope, id: string, error: string): Promise<void> {
  await db.query(errorSql, [tenantId, id, error.slice(0, 1_000).toWellFormed()]);
}
