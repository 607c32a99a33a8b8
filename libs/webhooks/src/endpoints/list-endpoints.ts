import type { Page, PageOfItems, WebhookResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { endpointResource } from './endpoint.ts';
import { maskedUrl } from './masked-url.ts';
import { type EndpointFilter, pageEndpoints } from './endpoint.read-model.ts';

export async function listEndpoints(
  ctx: UseCaseContext,
  filter: EndpointFilter,
  page: Page,
): Promise<PageOfItems<WebhookResource>> {
  const { items, ...rest } = await pageEndpoints(ctx, filter, page);
  return { items: items.map((item) => ({ ...endpointResource(item), url: maskedUrl(item.url) })), ...rest };
}
