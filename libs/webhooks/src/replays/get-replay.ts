import { getJob } from '@eas/bulk-jobs';
import type { ReplayResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { replayResource } from './replay.ts';
import { replayKind } from './replay-kind.ts';

/** One replay. Throws not_found. */
export async function getReplay(ctx: UseCaseContext, id: string): Promise<ReplayResource> {
  return replayResource(await getJob(ctx, replayKind, id));
}
