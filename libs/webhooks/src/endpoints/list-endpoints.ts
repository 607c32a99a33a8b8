import type { Page, PageOfItems, WebhookResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { endpointResource } from './endpoint.ts';
import { type EndpointFilter, type EndpointSortField, listEndpointPage } from './endpoint.read-model.ts';

/** A page of endpoints. Throws invalid_request when `after` names none of the list. */
export async function listEndpoints(
  ctx: UseCaseContext,
  filter: EndpointFilter,
  page: Page<EndpointSortField>,
): Promise<PageOfItems<WebhookResource>> {
  const found = await listEndpointPage(ctx, filter, page);
  if (!found) {
    const message = 'after names no item of this list.';
    throw new AppError('invalid_request', { message, field: 'after', constraint: 'format' });
  }
  return { ...found, items: found.items.map(endpointResource) };
}
