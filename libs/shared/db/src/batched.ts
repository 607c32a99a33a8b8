import { AppError } from '@eas/core';
import { type BatchResult, onlyResult } from './connection/gather.ts';
import type { UseCaseContext } from './context.ts';
import type { SharedWork } from './transactions/shared-transaction.ts';
import type { Tx } from './transactions/tx.ts';

/** A call of a batched use case, and what `prepare` returned for it. */
export type BatchItem<I, P = undefined> = { ctx: UseCaseContext; input: I; prepared?: P | undefined };

type BatchWork<I, O, P> = (
  tx: Tx,
  items: readonly BatchItem<I, P>[],
  how: { mayWait: boolean },
) => Promise<BatchResult<O>[]>;

type BatchOptions<I, P> = {
  /** Whether a call may share a transaction. Default: all. */
  canShare?: (input: I) => boolean;
  /** Slow work outside of transactions, before a call gets one of its own. */
  prepare?: (ctx: UseCaseContext, input: I) => Promise<P | undefined>;
};

/** The result of an item that has to wait for a locked row, or would hold up the others. */
export const needsOwnTransaction = {
  ok: false,
  error: new Error('this call needs a transaction of its own'),
} satisfies BatchResult<never>;

/**
 * Makes a use case of work that is written for a batch of calls. Concurrent calls of a tenant share a transaction, in
 * which no item waits for locked rows. A call that `needsOwnTransaction` runs again as a batch of one, which may wait;
 * its error undoes its writes unless it keeps them.
 */
export function batched<I, O, P = undefined>(
  work: BatchWork<I, O, P>,
  { canShare = () => true, prepare }: BatchOptions<I, P> = {},
): (ctx: UseCaseContext, input: I) => Promise<O> {
  const shared: SharedWork<BatchItem<I, P>, O> = (tx, items) => work(tx, items, { mayWait: false });
  return async (ctx, input) => {
    try {
      if (canShare(input)) return await ctx.inSharedTransaction(shared, { ctx, input });
    } catch (error) {
      if (error !== needsOwnTransaction.error) throw error;
    }
    const item = { ctx, input, prepared: await prepare?.(ctx, input) };
    const results = await ctx.inTransaction(async (tx) => {
      const [result] = await work(tx, [item], { mayWait: true });
      if (result && !result.ok && !keepsWrites(result.error)) throw result.error;
      return result ? [result] : [];
    });
    return onlyResult(results);
  };
}

const keepsWrites = (error: unknown): boolean => error instanceof AppError && error.keepsWrites;
