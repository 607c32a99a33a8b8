import { type IntegrationListQuery, type IntegrationView, type Page, pageOf, type PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toView } from './integration.ts';
import { pageIntegrations } from './integration.read-model.ts';

export async function listIntegrations(
  ctx: UseCaseContext,
  query: IntegrationListQuery,
): Promise<PageOfItems<IntegrationView> & Pick<Page, 'limit' | 'offset'>> {
  const { limit, offset, sort = '-connected_at', ...filter } = query;
  const page = pageOf({ limit, offset, sort });
  const { items, ...rest } = await pageIntegrations(ctx, filter, page);
  return { ...page, ...rest, items: items.map(toView) };
}
