import type { ReplayResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getReplay } from './get-replay.ts';
import { endReplay } from './replay.store.ts';

/** Ends a running replay; what is due already is sent. Throws not_found, and conflict `state` for one that has ended. */
export async function cancelReplay(ctx: UseCaseContext, id: string): Promise<ReplayResource> {
  const isEnded = await ctx.inTransaction((tx) => endReplay(tx, id, ctx.clock.now()));
  const replay = await getReplay(ctx, id);
  if (isEnded) return replay;
  const message = `The replay is ${replay.status} already.`;
  throw new AppError('conflict', { field: 'status', constraint: 'state', message });
}
