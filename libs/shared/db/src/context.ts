import type { Actor } from '@eas/contracts';
import type { Clock, Logger, SecretBox } from '@eas/core';
import { type Database, type Gather, gatherInTransaction } from './database.ts';
import type { DbScope } from './db.ts';
import { inSavepoint } from './transaction.ts';
import type { Tx } from './tx.ts';

/** What every use case gets first. It is itself a DbScope, for reads outside a transaction. */
export type UseCaseContext = DbScope & {
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  gather: Gather;
  secrets: SecretBox;
  /** The database's time; for durations use monotonicMs. */
  clock: Clock;
  logger: Logger;
  actor: Actor;
  /** Aborts when nobody waits for the result any more. */
  signal: AbortSignal;
};

/** What all contexts of a process share. */
export type ContextParts = { database: Database; secrets: SecretBox; logger: Logger };

const neverAborts = new AbortController().signal;

/** A context whose transactions are its own. */
export function createContext(
  { database, secrets, logger }: ContextParts,
  { tenantId, actor, signal = neverAborts }: { tenantId: string; actor: Actor; signal?: AbortSignal },
): UseCaseContext {
  return {
    db: database.db,
    tenantId,
    inTransaction: (work) => database.inTransaction(tenantId, work),
    gather: database.gather,
    secrets,
    clock: database.clock,
    logger,
    actor,
    signal,
  };
}

/** The same context with everything inside a transaction that is already open: all of it commits or none. */
export function contextInTransaction(ctx: UseCaseContext, tx: Tx): UseCaseContext {
  return {
    ...ctx,
    db: tx.db,
    inTransaction: (work) => inSavepoint(tx, work),
    gather: gatherInTransaction(tx),
  };
}
