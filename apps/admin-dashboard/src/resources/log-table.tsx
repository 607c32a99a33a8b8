import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import layouts from '../parts/layouts.module.css';
import styles from './log.module.css';
import type { CursorPages } from './use-cursor-pages.ts';

/** `share` of the width: 1 unless given. */
export type LogColumn<Row> = { name: string; show: (row: Row) => ReactNode; share?: number };

export type LogTableProps<Row> = {
  label: string;
  pages: CursorPages<Row>;
  /** The first and the second stay on narrow screens. */
  columns: readonly LogColumn<Row>[];
  empty: ReactNode;
};

const rowHeight = 36;

/** A long list that renders only its visible rows. */
export function LogTable<Row>({ label, pages, columns, empty }: LogTableProps<Row>) {
  if (pages.error && pages.rows.length === 0) return <ProblemNote error={pages.error} onRetry={pages.refetch} />;
  if (!pages.isLoaded) return <Loading />;
  const { scroll, row } = styles;
  const look = { scroll, row, gridTemplateColumns: columns.map(({ share = 1 }) => `minmax(0, ${share}fr)`).join(' ') };
  return (
    <>
      {pages.rows.length === 0 && !pages.hasMore ? empty : <RowTable {...{ label, pages, columns, look }} />}
      {pages.hasMore && (
        <div className={styles['more']}>
          {pages.error ? <ProblemNote error={pages.error} onRetry={pages.refetch} /> : undefined}
          <Button onClick={pages.readOn} disabled={pages.isReading}>
            Show older ones
          </Button>
        </div>
      )}
    </>
  );
}

export type RowTableProps<Row> = {
  label: string;
  pages: CursorPages<Row>;
  columns: readonly LogColumn<Row>[];
  /** Classes of the table and of a row, which has `gridTemplateColumns` or columns of its class. */
  look: { scroll: string | undefined; row: string | undefined; gridTemplateColumns?: string };
};

/** The rows of a list; more pages are read as it is scrolled. */
export function RowTable<Row>({ label, pages: { rows, total, showRows }, columns, look }: RowTableProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroll.current,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => showRows(first, last));
  const { gridTemplateColumns } = look;
  return (
    <div
      ref={scroll}
      className={look.scroll}
      role="table"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className={layouts['headRow']}>
        <div role="row" aria-rowindex={1} className={look.row} style={{ position: 'static', gridTemplateColumns }}>
          {columns.map(({ name }) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={layouts['space']} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={look.row}
            style={{ transform: `translateY(${start}px)`, gridTemplateColumns }}
          >
            {columns.map(({ name, show }) => (
              <span key={name} role="cell" dir="auto">
                {rows[index] !== undefined && show(rows[index])}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
