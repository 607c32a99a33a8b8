import type { DeadDeliveryCounts } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { countDead } from './dead-delivery.read-model.ts';

/** Webhooks that have dead deliveries since a moment, or at all. */
export async function countDeadDeliveries(ctx: UseCaseContext, since: Date | undefined): Promise<DeadDeliveryCounts> {
  const counted = await countDead(ctx, since ?? new Date(0));
  return { data: counted.map(({ endpointId, ...rest }) => ({ webhook_id: endpointId, ...rest })) };
}
