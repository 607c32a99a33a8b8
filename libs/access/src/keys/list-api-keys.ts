import type { KeyResource, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { type KeyFilter, pageKeys } from './api-key.read-model.ts';
import { keyResource } from './key-resource.ts';

export async function listApiKeys(
  ctx: UseCaseContext,
  filter: KeyFilter,
  page: Page,
): Promise<PageOfItems<KeyResource>> {
  const { items, ...rest } = await pageKeys(ctx, filter, page);
  return { ...rest, items: items.map((row) => keyResource(row, row.readAt)) };
}
