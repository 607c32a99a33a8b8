export type CursorPage<Row> = {
  data: readonly Row[];
  pagination: { next_cursor: string | null; total_count?: number };
};

/** A page of the list. `page` is what was read at this index before, until the page of its own cursor is read. */
export type Link<Row> = { cursor: string; page: CursorPage<Row> | undefined; isRead: boolean };

export type Chain<Row> = {
  links: readonly Link<Row>[];
  rows: readonly Row[];
  total: number | undefined;
  hasMore: boolean;
};

/**
 * The first pages of a list, at most `reach` + 1. When a page is read again, the cursor of the next one can change:
 * until that is read, the page of `before` at the same index stays, so that no row disappears.
 */
export function chainOf<Row>(
  reach: number,
  read: (cursor: string) => CursorPage<Row> | undefined,
  before: readonly Link<Row>[],
): Chain<Row> {
  const links: Link<Row>[] = [];
  let cursor: string | null = '';
  while (cursor !== null && links.length <= reach) {
    const own = read(cursor);
    const page: CursorPage<Row> | undefined = own ?? before[links.length]?.page;
    links.push({ cursor, page, isRead: own !== undefined });
    cursor = page?.pagination.next_cursor ?? null;
  }
  const last = links.at(-1);
  return {
    links,
    rows: links.flatMap(({ page }) => page?.data ?? []),
    total: links[0]?.page?.pagination.total_count,
    hasMore: cursor !== null || last?.page === undefined,
  };
}

/** The index of the page with the row. */
export function placeOf<Row>(links: readonly Link<Row>[], row: number): number {
  let end = 0;
  const place = links.findIndex(({ page }) => row < (end += page?.data.length ?? 0));
  return Math.max(0, place);
}

/** The pages that are read, and reloaded after events: those with visible rows, and the last one. */
export const shownLinks = <Row>(links: readonly Link<Row>[], first: number, last: number): readonly Link<Row>[] =>
  links.filter((_, place) => (place >= first && place <= last) || place === links.length - 1);
