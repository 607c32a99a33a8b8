import { firstErrorOf, type Tx } from './tx.ts';

/**
 * Runs `work` in a savepoint: when it throws, its writes and events are rolled back and the transaction can continue.
 */
export async function inSavepoint<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const appendedBefore = tx.pendingEvents.length;
  const sentBefore = tx.pendingWrites.length;
  await tx.db.query('SAVEPOINT inner_work');
  try {
    const result = await work(tx);
    await tx.db.query('RELEASE SAVEPOINT inner_work');
    return result;
  } catch (error) {
    const cause = await firstErrorOf(tx, error, sentBefore);
    tx.pendingEvents.length = Math.min(tx.pendingEvents.length, appendedBefore);
    await tx.db.query('ROLLBACK TO SAVEPOINT inner_work');
    // Otherwise it would still exist, and the surrounding savepoint would only be rolled back to it.
    await tx.db.query('RELEASE SAVEPOINT inner_work');
    throw cause;
  }
}
