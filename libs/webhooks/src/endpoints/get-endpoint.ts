import type { WebhookResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { endpointResource } from './endpoint.ts';
import { findEndpoint } from './endpoint.read-model.ts';

/** One endpoint, without its secret. Throws not_found. */
export async function getEndpoint(ctx: UseCaseContext, id: string): Promise<WebhookResource> {
  const endpoint = await findEndpoint(ctx, id);
  if (!endpoint) throw new AppError('not_found', { message: 'The webhook does not exist.' });
  return endpointResource(endpoint);
}
