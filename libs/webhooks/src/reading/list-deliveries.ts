import type { DeliveryResource, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { deliveryResource } from './delivery.ts';
import { type DeliveryFilter, pageDeliveries } from './delivery.read-model.ts';

/** Deliveries to one endpoint. Throws not_found for an endpoint that does not exist. */
export async function listDeliveries(
  ctx: UseCaseContext,
  { endpointId, filter }: { endpointId: string; filter: DeliveryFilter },
  page: Page,
): Promise<PageOfItems<DeliveryResource>> {
  await getEndpoint(ctx, endpointId);
  const { items, ...rest } = await pageDeliveries(ctx, endpointId, filter, page);
  return { items: items.map(deliveryResource), ...rest };
}
