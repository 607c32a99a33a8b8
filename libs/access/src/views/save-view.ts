import { maxViews, type SaveViewBody, type ViewResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import { lockName, type UseCaseContext } from '@eas/db';
import { countOtherViews, putView } from './view.store.ts';

/**
 * Saves a view of the caller under a name and replaces an existing one. Throws conflict `limit` when there are too
 * many.
 */
export async function saveView(ctx: UseCaseContext, body: SaveViewBody): Promise<ViewResource> {
  const ownerId = ctx.actor.id;
  return ctx.inTransaction(async (tx) => {
    await lockName(tx, `views of ${ownerId}`);
    if ((await countOtherViews(tx, ownerId, body)) >= maxViews) throw tooMany();
    return putView(tx, body, { ownerId, at: ctx.clock.now() });
  });
}

function tooMany(): AppError {
  const message = `You already have ${maxViews} saved views. Delete one first.`;
  return new AppError('conflict', { field: 'name', constraint: 'limit', message });
}
