import type { Page, PageOfItems, UserResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { userResource } from './user.ts';
import { pageUsers, type UserFilter } from './user.read-model.ts';

export async function listUsers(
  ctx: UseCaseContext,
  filter: UserFilter,
  page: Page,
): Promise<PageOfItems<UserResource>> {
  const { items, ...rest } = await pageUsers(ctx, filter, page);
  return { ...rest, items: items.map(userResource) };
}
