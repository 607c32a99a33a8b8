import { type Database, sweepAlone } from '@eas/db';
import { measureTenant } from './measure-tenant.ts';
import { listTenantsAfter } from './tenants.sweeper.ts';

/** Tenants that one run measures, in addition to those that had more to count. */
const tenantsAtOnce = 200;
/** Duration of a run after which it starts with no other tenant that has more to count. */
const catchUpMs = 20_000;

/** Measures tenants in the order of their ids, some with each run, and begins again after the last. */
export type UsageRounds = {
  /** Each tenant is a transaction of its own. The next run continues after one that fails. */
  run(signal: AbortSignal): Promise<void>;
};

export function createUsageRounds(database: Database, options = { catchUpMs }): UsageRounds {
  let after = '';
  const behind = new Set<string>();

  async function measure(tenantId: string): Promise<void> {
    behind.delete(tenantId);
    const hasMore = await sweepAlone(database, `usage of ${tenantId}`, (tx) => measureTenant(tx, tenantId));
    if (hasMore) behind.add(tenantId);
  }

  return {
    async run(signal) {
      const endsAt = performance.now() + options.catchUpMs;
      const next = await listTenantsAfter(database.db, after, tenantsAtOnce);
      for (const tenantId of next) {
        if (signal.aborted) return;
        after = tenantId;
        await measure(tenantId);
      }
      if (next.length < tenantsAtOnce) after = '';
      // One that still has more comes again, after the others.
      for (const tenantId of behind) {
        if (signal.aborted || performance.now() >= endsAt) return;
        await measure(tenantId);
      }
    },
  };
}
