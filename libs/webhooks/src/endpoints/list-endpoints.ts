import type { Page, PageOfItems, WebhookResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { endpointResource } from './endpoint.ts';
import { type EndpointFilter, pageEndpoints } from './endpoint.read-model.ts';

export async function listEndpoints(
  ctx: UseCaseContext,
  filter: EndpointFilter,
  page: Page,
): Promise<PageOfItems<WebhookResource>> {
  const { items, ...rest } = await pageEndpoints(ctx, filter, page);
  return { items: items.map(endpointResource), ...rest };
}
