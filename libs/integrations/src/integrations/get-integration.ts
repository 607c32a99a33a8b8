import type { UseCaseContext } from '@eas/db';
import { type ShownIntegration, shown } from './integration.ts';
import { noIntegration } from './integration-errors.ts';
import { findIntegration } from './integration.read-model.ts';

/** One integration, without its secrets. Throws not_found. */
export async function getIntegration(ctx: UseCaseContext, id: string): Promise<ShownIntegration> {
  const integration = await findIntegration(ctx, id);
  if (!integration) throw noIntegration();
  return shown(integration);
}
