import type { IntegrationView } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toView } from './integration.ts';
import { readIntegrations } from './integration.read-model.ts';

export async function listIntegrations(
  ctx: UseCaseContext,
  page: { limit: number; offset: number },
): Promise<IntegrationView[]> {
  return (await readIntegrations(ctx, page)).map(toView);
}
