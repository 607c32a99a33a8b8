import { AppError } from '@eas/core';
import { isTimeout, type Tx, type UseCaseContext } from '@eas/db';

/**
 * Counts what a filter matches within 8 s, less than the statement time-out. Throws invalid_input `max_size` with the
 * message when that is not enough.
 */
export async function countInTime(
  ctx: UseCaseContext,
  count: (tx: Tx) => Promise<number>,
  message: string,
): Promise<number> {
  try {
    return await ctx.inTransaction(async (tx) => {
      await tx.db.query("SET LOCAL statement_timeout = '8s'");
      return count(tx);
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new AppError('invalid_input', { field: 'filter', constraint: 'max_size', message });
  }
}
