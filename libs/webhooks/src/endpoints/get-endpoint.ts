import type { UseCaseContext } from '@eas/db';
import { noEndpoint, type ShownEndpoint, shown } from './endpoint.ts';
import { findEndpoint } from './endpoint.read-model.ts';

/** One endpoint, without its secret and the values of its headers. Throws not_found. */
export async function getEndpoint(ctx: UseCaseContext, id: string): Promise<ShownEndpoint> {
  const endpoint = await findEndpoint(ctx, id);
  if (!endpoint) throw noEndpoint();
  return shown(endpoint);
}
