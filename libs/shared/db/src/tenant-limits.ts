import { AppError } from '@eas/core';
import type { Tx } from './transactions/tx.ts';

/** How many of each a tenant or a task may have, unless a setting says otherwise. `integrations`: of either direction. */
export const defaultTenantLimits = {
  agents: 1_000,
  keys: 500,
  endpoints: 100,
  integrations: 50,
  workflows: 200,
  commentsPerTask: 10_000,
};
export type TenantLimits = Readonly<Record<keyof typeof defaultTenantLimits, number>>;

const lockSql = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/**
 * Throws conflict `limit` when the tenant has `max` already. `countSql` counts them as `n`, with the tenant as $1.
 * Whoever adds one waits until the one before has committed, so the count is right until this transaction ends.
 */
export async function assertBelowLimit(
  { db, tenantId }: Tx,
  what: keyof TenantLimits,
  max: number,
  countSql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  // A statement of its own: the count's snapshot is taken when the lock is held.
  const locked = db.query(lockSql, [`limit of ${what} ${tenantId}`]);
  const [, [counted]] = await Promise.all([locked, db.query<{ n: number }>(countSql, [tenantId, ...values])]);
  if (!counted || counted.n < max) return;
  const message = `A tenant can have at most ${max} ${what}. Remove unused ones first.`;
  throw new AppError('conflict', { field: '', constraint: 'limit', message });
}
