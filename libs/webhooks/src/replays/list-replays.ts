import type { Page, PageOfItems, ReplayResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { replayResource } from './replay.ts';
import { pageReplays, type ReplayListFilter } from './replay.read-model.ts';

/** Replays of one endpoint. Throws not_found for an endpoint that does not exist. */
export async function listReplays(
  ctx: UseCaseContext,
  { endpointId, filter }: { endpointId: string; filter: ReplayListFilter },
  page: Page,
): Promise<PageOfItems<ReplayResource>> {
  await getEndpoint(ctx, endpointId);
  const { items, ...rest } = await pageReplays(ctx, endpointId, filter, page);
  return { items: items.map(replayResource), ...rest };
}
