import { cancelJob } from '@eas/bulk-jobs';
import type { InboundReplayResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { inboundReplayResource } from './inbound-replay.ts';
import { inboundReplayKind } from './inbound-replay-kind.ts';

/** Ends a running replay; what was set back is applied. Throws not_found, conflict `state` for one that has ended. */
export async function cancelInboundReplay(ctx: UseCaseContext, id: string): Promise<InboundReplayResource> {
  return inboundReplayResource(await cancelJob(ctx, inboundReplayKind, id));
}
