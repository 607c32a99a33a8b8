import { AppError } from '@eas/core';
import { lockName } from './transactions/locks.ts';
import type { Tx } from './transactions/tx.ts';

/**
 * Default maximum numbers per tenant or task. `integrations`: of either direction; `workflows`, `projects`: those that
 * are not archived; `policies`: for permissions.
 */
export const defaultTenantLimits = {
  agents: 1_000,
  keys: 500,
  endpoints: 100,
  integrations: 50,
  workflows: 200,
  projects: 200,
  profiles: 100,
  policies: 1_000,
  runners: 1_000,
  budgets: 100,
  commentsPerTask: 10_000,
};
/** How to free capacity, if not by removing one. */
const remedies: Partial<Record<string, string>> = { workflows: 'Archive', projects: 'Archive' };
export type TenantLimits = Readonly<Record<keyof typeof defaultTenantLimits, number>>;

/**
 * Throws conflict `limit` when the tenant has `max` already. Callers that add one wait for each other's commit, so the
 * count stays right until this transaction ends.
 */
export async function assertBelowLimit(
  tx: Tx,
  what: keyof TenantLimits,
  max: number,
  count: () => Promise<number>,
): Promise<void> {
  // A statement of its own: the count's snapshot is taken when the lock is held.
  await lockName(tx, `limit of ${what}`);
  if ((await count()) < max) return;
  const message = `A tenant can have at most ${max} ${what}. ${remedies[what] ?? 'Remove'} unused ones first.`;
  throw new AppError('conflict', { field: '', constraint: 'limit', message });
}
