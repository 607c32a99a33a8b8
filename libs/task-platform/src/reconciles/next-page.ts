import type { ReconcileCursor } from './reconcile.ts';

/** A task of a page: its id, and the date of its last change in Unix milliseconds. */
export type ListedTask = { id: string; at: number };

/** More pages are not read: the platform would be giving the same again and again. */
export const maxPages = 10_000;

/**
 * Where to go on after a page. Pages that come oldest first are continued by date, so that tasks which leave the list
 * meanwhile push no other one over the edge; in any other order by their number.
 */
export function nextPage(cursor: ReconcileCursor, since: number, listed: readonly ListedTask[]): ReconcileCursor {
  const { after = since, page = 0, pages = 0, team } = cursor;
  const base = { ...(team === undefined ? {} : { team }), pages: pages + 1 };
  const [oldest = 0, newest = 0] = [listed[0]?.at, listed.at(-1)?.at];
  const isAscending = listed.every(({ at }, index) => index === 0 || at >= (listed[index - 1]?.at ?? 0));
  const edge = isAscending ? listed.filter(({ at }) => at === newest).map(({ id }) => id) : [];
  // Of a page that has one date alone the order does not show.
  if (!isAscending || oldest === newest || newest - 1 <= after) return { ...base, after, page: page + 1, edge };
  return { ...base, after: newest - 1, page: 0, edge };
}
