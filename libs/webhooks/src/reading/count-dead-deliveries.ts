import type { DeadDeliveryCounts } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { maskedUrl } from '../endpoints/masked-url.ts';
import { countDead } from './dead-delivery.read-model.ts';

/** Webhooks that have dead deliveries since a moment, or at all. */
export async function countDeadDeliveries(ctx: UseCaseContext, since: Date | undefined): Promise<DeadDeliveryCounts> {
  const counted = await countDead(ctx, since ?? new Date(0));
  return {
    data: counted.map(({ endpointId, url, count }) => ({ webhook_id: endpointId, url: maskedUrl(url), count })),
  };
}
