import { pageJobs } from '@eas/bulk-jobs';
import type { Page, PageOfItems, ReplayListQuery, ReplayResource } from '@eas/contracts';
import { type UseCaseContext, within } from '@eas/db';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { replayResource } from './replay.ts';
import { replayKind } from './replay-kind.ts';

type ReplayListFilter = Omit<ReplayListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

/** Replays of one endpoint. Throws not_found for an endpoint that does not exist. */
export async function listReplays(
  ctx: UseCaseContext,
  { endpointId, filter }: { endpointId: string; filter: ReplayListFilter },
  page: Page,
): Promise<PageOfItems<ReplayResource>> {
  await getEndpoint(ctx, endpointId);
  const subject = within({ sql: (id) => `endpoint_id = ${id}`, value: endpointId });
  const { items, ...rest } = await pageJobs(ctx, replayKind, { subject, filter }, page);
  return { items: items.map(replayResource), ...rest };
}
