import { maxPageSize, type Page, type PageOfItems, pageOf } from '@eas/contracts';

/** All items of a list, the oldest first. */
export async function readAll<T>(list: (page: Page) => Promise<PageOfItems<T>>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const { items } = await list(pageOf({ limit: maxPageSize, offset: all.length, sort: 'created_at' }));
    all.push(...items);
    if (items.length < maxPageSize) return all;
  }
}
