import type { IntegrationListQuery, IntegrationView } from '@eas/contracts';
import { pageOf } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toView } from './integration.ts';
import { pageIntegrations } from './integration.read-model.ts';

export async function listIntegrations(ctx: UseCaseContext, query: IntegrationListQuery): Promise<IntegrationView[]> {
  const { limit, offset, sort = '-connected_at', ...filter } = query;
  const { items } = await pageIntegrations(ctx, filter, pageOf({ limit, offset, sort }));
  return items.map(toView);
}
