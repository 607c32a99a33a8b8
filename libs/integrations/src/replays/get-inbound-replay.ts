import type { InboundReplayResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { inboundReplayResource } from './inbound-replay.ts';
import { findInboundReplay } from './inbound-replay.read-model.ts';

/** One replay. Throws not_found. */
export async function getInboundReplay(ctx: UseCaseContext, id: string): Promise<InboundReplayResource> {
  const replay = await findInboundReplay(ctx, id);
  if (!replay) throw new AppError('not_found', { message: 'The replay does not exist.' });
  return inboundReplayResource(replay);
}
