import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import type { TaskSummary } from '../work/task-queries.ts';
import { pageSize, taskPageQuery } from './list-queries.ts';
import type { TaskSearch } from './task-search.ts';

export type TaskPages = {
  /** Rows that can be scrolled to so far. */
  count: number;
  total: number | undefined;
  rowAt: (index: number) => TaskSummary | undefined;
  error: unknown;
  refetch: () => void;
  showRows: (first: number, last: number) => void;
};

/**
 * The list in pages that follow each other by cursor. Only pages with visible rows are read, and read again after events;
 * the others stay as they were.
 */
export function useTaskPages(search: TaskSearch): TaskPages {
  const client = useQueryClient();
  const [[firstPage, lastPage], setShown] = useState([0, 0]);
  const pages: { cursor: string; rows: readonly TaskSummary[] | undefined }[] = [];
  let cursor: string | null = '';
  let total: number | undefined;
  while (cursor !== null && pages.length <= lastPage + 1) {
    const page: Schemas['TaskSummaryCursorPage'] | undefined = client.getQueryData(
      taskPageQuery(search, cursor).queryKey,
    );
    pages.push({ cursor, rows: page?.data });
    total ??= page?.pagination.total_count;
    cursor = page?.pagination.next_cursor ?? null;
  }
  const results = useQueries({
    queries: pages.slice(firstPage, lastPage + 2).map((page) => taskPageQuery(search, page.cursor)),
  });
  return {
    count: pages.reduce((sum, { rows }) => sum + (rows?.length ?? 0), 0),
    total,
    rowAt: (index) => pages[Math.floor(index / pageSize)]?.rows?.[index % pageSize],
    error: results.find(({ error }) => error)?.error,
    refetch: () => results.forEach((result) => void result.refetch()),
    showRows: (first, last) => {
      const next = [Math.floor(first / pageSize), Math.floor(last / pageSize)] as const;
      if (next[0] !== firstPage || next[1] !== lastPage) setShown([...next]);
    },
  };
}
