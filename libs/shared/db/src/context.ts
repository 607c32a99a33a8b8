import type { Actor } from '@eas/contracts';
import { type Clock, type Logger, type SecretBox, waitForAll } from '@eas/core';
import type { StatementWatch } from './connection/pool.ts';
import { type Database, type Gather, gatherInTransaction, gatherTogether } from './database.ts';
import type { DbScope } from './connection/db.ts';
import { onlyResult } from './connection/gather.ts';
import type { InSharedTransaction } from './transactions/shared-transaction.ts';
import { inSavepoint } from './transactions/savepoint.ts';
import { defaultRetention, type Retention } from './retention/retention.ts';
import { defaultTenantLimits, type TenantLimits } from './tenant-limits.ts';
import type { Tx } from './transactions/tx.ts';

/** The first parameter of every use case. It is itself a DbScope, for reads outside a transaction. */
export type UseCaseContext = DbScope & {
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  gather: Gather;
  inSharedTransaction: InSharedTransaction;
  secrets: SecretBox;
  /** The database's time; for durations use monotonicMs. */
  clock: Clock;
  logger: Logger;
  actor: Actor;
  limits: TenantLimits;
  /** How long a lease runs without being renewed. */
  leaseSeconds: number;
  retention: Retention;
  /** Aborts when the result is no longer awaited. */
  signal: AbortSignal;
};

/** What all contexts of a process share. `leaseSeconds`: 60 unless set. */
export type ContextParts = {
  database: Database;
  secrets: SecretBox;
  logger: Logger;
  limits?: TenantLimits;
  leaseSeconds?: number;
  retention?: Retention;
};

const neverAborts = new AbortController().signal;

export function createContext(
  {
    database,
    secrets,
    logger,
    limits = defaultTenantLimits,
    leaseSeconds = 60,
    retention = defaultRetention,
  }: ContextParts,
  {
    tenantId,
    actor,
    limits: own,
    signal = neverAborts,
    watch,
  }: {
    tenantId: string;
    actor: Actor;
    /** Instead of those of the process. */
    limits?: Partial<TenantLimits> | undefined;
    signal?: AbortSignal;
    watch?: StatementWatch;
  },
): UseCaseContext {
  return {
    db: database.dbOf(tenantId, watch),
    tenantId,
    inTransaction: (work) => database.inTransaction(tenantId, work),
    gather: database.gather,
    inSharedTransaction: database.inSharedTransaction(tenantId),
    secrets,
    clock: database.clock,
    logger,
    actor,
    limits: own ? { ...limits, ...own } : limits,
    leaseSeconds,
    retention,
    signal,
  };
}

/** The same context for another tenant, in a transaction that is already open: all of it commits or none. */
export const contextOfOther = (ctx: UseCaseContext, tx: Tx, tenantId: string): UseCaseContext =>
  contextInTransaction({ ...ctx, tenantId }, { ...tx, tenantId });

/** The same context inside a transaction that is already open: all of it commits or none. */
export function contextInTransaction(ctx: UseCaseContext, tx: Tx): UseCaseContext {
  return {
    ...ctx,
    db: tx.db,
    inTransaction: (work) => inSavepoint(tx, work),
    gather: gatherInTransaction(tx),
    inSharedTransaction: async (work, item) => onlyResult(await inSavepoint(tx, (inner) => work(inner, [item]))),
  };
}

/** Works on all items in the transaction of `inner`, at the same time: what they gather becomes few statements. */
export function eachInTransaction<I, O>(
  inner: UseCaseContext,
  tx: Tx,
  items: readonly I[],
  work: (together: UseCaseContext, item: I) => Promise<O>,
): Promise<O[]> {
  const together = { ...inner, gather: gatherTogether(tx) };
  return waitForAll(items.map((item) => work(together, item)));
}
