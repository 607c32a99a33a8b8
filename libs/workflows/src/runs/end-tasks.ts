import { AppError } from '@eas/core';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { cancelTask, timeOutTask } from '@eas/tasks';
import type { TaskEnd } from '../engine/draft.ts';

/** A task ended by itself after it was read: the decision may be wrong. */
const concurrentEnd = new Error('a task has ended in the meantime');
const maxTries = 10;

/** Repeats a transaction, including the read of the tasks, when one of them has ended in the meantime. */
export async function inFreshTransaction<T>(ctx: UseCaseContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ctx.inTransaction(work);
    } catch (error) {
      if (error !== concurrentEnd || tries === maxTries) throw error;
    }
  }
}

/** Ends tasks that no step waits for any more. Their agents lose their leases. */
export async function endTasks(ctx: UseCaseContext, tx: Tx, ends: readonly TaskEnd[]): Promise<void> {
  const inner = contextInTransaction(ctx, tx);
  for (const end of ends) {
    const isEnded = end.how === 'time_out' ? await timeOutTask(inner, end) : await cancel(inner, end.taskId);
    if (!isEnded) throw concurrentEnd;
  }
}

async function cancel(ctx: UseCaseContext, taskId: string): Promise<boolean> {
  try {
    await cancelTask(ctx, { taskId });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false;
    throw error;
  }
}
