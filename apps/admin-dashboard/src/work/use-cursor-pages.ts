import { type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

export type CursorPage<Row> = {
  data: readonly Row[];
  pagination: { next_cursor: string | null; total_count?: number };
};

/** Reads the page after the cursor; '' is the first. */
export type PageSource<Row> = {
  queryKey: QueryKey;
  read: (after: string, signal: AbortSignal) => Promise<CursorPage<Row>>;
  /** Milliseconds until the pages that are shown are read again, while `isOpen` holds for a row of theirs. */
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

/**
 * A list in pages that follow each other by cursor. Only pages with visible rows are read, and read again after events;
 * the others stay as they were. Pages may have fewer rows than asked for.
 */
export function useCursorPages<Row>({ queryKey, read, whileOpen }: PageSource<Row>): CursorPages<Row> {
  const client = useQueryClient();
  const [[first, last, reach], setShown] = useState([0, 0, 0]);
  const keyOf = (cursor: string) => [...queryKey, 'after', cursor];
  const pages: { cursor: string; end: number }[] = [];
  const rows: Row[] = [];
  let total: number | undefined;
  let cursor: string | null = '';
  while (cursor !== null && pages.length <= reach) {
    const page: CursorPage<Row> | undefined = client.getQueryData(keyOf(cursor));
    rows.push(...(page?.data ?? []));
    pages.push({ cursor, end: rows.length });
    total ??= page?.pagination.total_count;
    cursor = page?.pagination.next_cursor ?? null;
  }
  const isShown = (_: unknown, at: number) => (at >= first && at <= last) || at === reach;
  const results = useQueries({
    queries: pages.filter(isShown).map((page) => ({
      queryKey: keyOf(page.cursor),
      gcTime: Infinity,
      notifyOnChangeProps: 'all' as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(page.cursor, signal),
      refetchInterval: ({ state }: { state: { data: CursorPage<Row> | undefined } }) =>
        whileOpen && state.data?.data.some(whileOpen.isOpen) ? whileOpen.everyMs : false,
    })),
  });
  const pageOf = (row: number) =>
    Math.max(
      0,
      pages.findIndex(({ end }) => row < end),
    );
  return {
    isLoaded: client.getQueryData(keyOf('')) !== undefined,
    rows,
    total,
    hasMore: cursor !== null,
    isReading: results.some(({ isFetching }) => isFetching),
    error: results.find(({ error }) => error)?.error,
    refetch: () => results.forEach((result) => void result.refetch()),
    showRows: (firstRow, lastRow) => {
      const next = [pageOf(firstRow), pageOf(lastRow)] as const;
      const isNearEnd = cursor !== null && lastRow >= rows.length - 30 && pages.length > reach && rows.length >= 50;
      const nextReach = isNearEnd ? pages.length : reach;
      if (next[0] !== first || next[1] !== last || nextReach !== reach) setShown([...next, nextReach]);
    },
    readOn: () => setShown([first, last, pages.length]),
  };
}
