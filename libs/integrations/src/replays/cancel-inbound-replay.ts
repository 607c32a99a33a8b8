import type { InboundReplayResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getInboundReplay } from './get-inbound-replay.ts';
import { endInboundReplay } from './inbound-replay.store.ts';

/** Ends a running replay; what was set back is applied. Throws not_found, conflict `state` for one that has ended. */
export async function cancelInboundReplay(ctx: UseCaseContext, id: string): Promise<InboundReplayResource> {
  const isEnded = await ctx.inTransaction((tx) => endInboundReplay(tx, id, ctx.clock.now()));
  const replay = await getInboundReplay(ctx, id);
  if (isEnded) return replay;
  const message = `The replay is ${replay.status} already.`;
  throw new AppError('conflict', { field: 'status', constraint: 'state', message });
}
