import { hashKey, type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { chainOf, type CursorPage, type Link, placeOf, shownLinks } from './cursor-chain.ts';

export type { CursorPage };

/** Reads the page after the cursor; '' is the first. */
export type PageSource<Row> = {
  queryKey: QueryKey;
  read: (after: string, signal: AbortSignal) => Promise<CursorPage<Row>>;
  /** Milliseconds until the visible pages are reloaded, while `isOpen` holds for one of their rows. */
  whileOpen?: { isOpen: (row: Row) => boolean; everyMs: number };
};

export type CursorPages<Row> = {
  isLoaded: boolean;
  rows: readonly Row[];
  total: number | undefined;
  hasMore: boolean;
  isReading: boolean;
  error: unknown;
  refetch: () => void;
  showRows: (first: number, last: number) => void;
  /** Reads one more page: for lists whose pages can be short, which do not scroll. */
  readOn: () => void;
};

/** Rows before the end at which the next page is read. */
const leadRows = 60;
const start = { first: 0, last: 0, reach: 0 };

/**
 * A list read in pages by cursor. Only pages with visible rows and the last one are read, and reloaded after events;
 * the others stay as they were. Pages may be shorter than requested.
 */
export function useCursorPages<Row>({ queryKey, read, whileOpen }: PageSource<Row>): CursorPages<Row> {
  const client = useQueryClient();
  const list = hashKey(queryKey);
  const [shown, setShown] = useState({ list, ...start });
  const { first, last, reach } = shown.list === list ? shown : start;
  const before = useRef<{ list: string; links: readonly Link<Row>[] }>({ list, links: [] });
  const keyOf = (cursor: string) => [...queryKey, 'after', cursor];
  const { links, rows, total, hasMore } = chainOf(
    reach,
    (cursor) => client.getQueryData<CursorPage<Row>>(keyOf(cursor)),
    before.current.list === list ? before.current.links : [],
  );
  useEffect(() => {
    before.current = { list, links };
  });
  const results = useQueries({
    queries: shownLinks(links, first, last).map(({ cursor }) => ({
      queryKey: keyOf(cursor),
      gcTime: Infinity,
      notifyOnChangeProps: 'all' as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(cursor, signal),
      refetchInterval: ({ state }: { state: { data: CursorPage<Row> | undefined } }) =>
        whileOpen && state.data?.data.some(whileOpen.isOpen) ? whileOpen.everyMs : false,
    })),
  });
  const isLastRead = links.at(-1)?.isRead ?? false;
  return {
    isLoaded: links[0]?.page !== undefined,
    rows,
    total,
    hasMore,
    isReading: results.some(({ isFetching }) => isFetching),
    error: results.find(({ error, data }) => error && data === undefined)?.error,
    refetch: () => results.forEach((result) => void result.refetch()),
    showRows: (firstRow, lastRow) => {
      const next = { first: placeOf(links, firstRow), last: placeOf(links, lastRow) };
      const isNearEnd = hasMore && isLastRead && lastRow >= rows.length - leadRows && rows.length >= 50;
      const nextReach = isNearEnd ? links.length : reach;
      if (next.first !== first || next.last !== last || nextReach !== reach)
        setShown({ list, ...next, reach: nextReach });
    },
    readOn: () => isLastRead && setShown({ list, first, last, reach: links.length }),
  };
}
