import type { ReplayResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { replayResource } from './replay.ts';
import { findReplay } from './replay.read-model.ts';

/** One replay. Throws not_found. */
export async function getReplay(ctx: UseCaseContext, id: string): Promise<ReplayResource> {
  const replay = await findReplay(ctx, id);
  if (!replay) throw new AppError('not_found', { message: 'The replay does not exist.' });
  return replayResource(replay);
}
