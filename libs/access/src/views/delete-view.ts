import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { removeView } from './view.store.ts';

/** Throws not_found, also for another person's view. */
export async function deleteView(ctx: UseCaseContext, id: string): Promise<void> {
  const isThere = await ctx.inTransaction((tx) => removeView(tx, ctx.actor.id, id));
  if (!isThere) throw new AppError('not_found', { message: 'The view does not exist.' });
}
