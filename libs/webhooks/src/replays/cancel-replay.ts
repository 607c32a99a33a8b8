import { cancelJob } from '@eas/bulk-jobs';
import type { ReplayResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { replayResource } from './replay.ts';
import { replayKind } from './replay-kind.ts';

/** Ends a running replay; what is due already is sent. Throws not_found, and conflict `state` for one that has ended. */
export async function cancelReplay(ctx: UseCaseContext, id: string): Promise<ReplayResource> {
  return replayResource(await cancelJob(ctx, replayKind, id));
}
