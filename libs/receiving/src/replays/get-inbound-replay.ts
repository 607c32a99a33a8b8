import { getJob } from '@eas/bulk-jobs';
import type { InboundReplayResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { inboundReplayResource } from './inbound-replay.ts';
import { inboundReplayKind } from './inbound-replay-kind.ts';

/** One replay. Throws not_found. */
export async function getInboundReplay(ctx: UseCaseContext, id: string): Promise<InboundReplayResource> {
  return inboundReplayResource(await getJob(ctx, inboundReplayKind, id));
}
