import { createGatherer, type GatherOptions, type BatchResult } from '../connection/gather.ts';
import type { Tx } from './tx.ts';

/**
 * Runs concurrent calls of a tenant in one transaction: few statements and one commit serve all of them. It returns a
 * result per item, in order; after an error that an item's values cause, each item is tried alone. It must skip locked
 * rows: waiting would hold up other transactions.
 */
export type SharedWork<I, O> = (tx: Tx, items: readonly I[]) => Promise<BatchResult<O>[]>;

export type InSharedTransaction = <I, O>(work: SharedWork<I, O>, item: I) => Promise<O>;

/**
 * One at a time: calls that arrive during a transaction share the next one, which costs less than two concurrent ones.
 */
const limits: GatherOptions = { max: 50, inFlight: 1 };

/** One gatherer per work and tenant; a tenant's is forgotten when none of its calls is left. */
export function shareTransactions(
  inTransaction: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>,
): (tenantId: string) => InSharedTransaction {
  type Shared = { run: (item: unknown) => Promise<unknown>; calls: number };
  const byWork = new Map<unknown, Map<string, Shared>>();
  return (tenantId) => async (work, item) => {
    const tenants = byWork.get(work) ?? new Map<string, Shared>();
    byWork.set(work, tenants);
    const shared = tenants.get(tenantId) ?? {
      run: gathererOf(work as SharedWork<unknown, unknown>, tenantId),
      calls: 0,
    };
    tenants.set(tenantId, shared);
    shared.calls += 1;
    try {
      return (await shared.run(item)) as never;
    } finally {
      shared.calls -= 1;
      if (shared.calls === 0) tenants.delete(tenantId);
    }
  };

  function gathererOf(work: SharedWork<unknown, unknown>, tenantId: string) {
    return createGatherer((items: readonly unknown[]) => inTransaction(tenantId, (tx) => work(tx, items)), limits);
  }
}
