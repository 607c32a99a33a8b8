import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import styles from './log.module.css';
import type { CursorPages } from './use-cursor-pages.ts';

export type LogColumn<Row> = { name: string; show: (row: Row) => ReactNode };

export type LogTableProps<Row> = {
  label: string;
  pages: CursorPages<Row>;
  /** The first and the second stay on narrow screens. */
  columns: readonly LogColumn<Row>[];
  empty: ReactNode;
};

const rowHeight = 36;

/** A long list, of which only what is visible is in the page. */
export function LogTable<Row>({ label, pages, columns, empty }: LogTableProps<Row>) {
  if (pages.error && pages.rows.length === 0) return <ProblemNote error={pages.error} onRetry={pages.refetch} />;
  if (!pages.isLoaded) return <Loading />;
  return (
    <>
      {pages.rows.length === 0 && !pages.hasMore ? empty : <Rows {...{ label, pages, columns }} />}
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

function Rows<Row>({ label, pages: { rows, total, showRows }, columns }: Omit<LogTableProps<Row>, 'empty'>) {
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
  const gridTemplateColumns = `repeat(${columns.length}, minmax(0, 1fr))`;
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      role="table"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className={styles['headRow']}>
        <div role="row" aria-rowindex={1} className={styles['row']} style={{ position: 'static', gridTemplateColumns }}>
          {columns.map(({ name }) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles['space']} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={styles['row']}
            style={{ transform: `translateY(${start}px)`, gridTemplateColumns }}
          >
            {columns.map(({ name, show }) => (
              <span key={name} role="cell">
                {rows[index] !== undefined && show(rows[index])}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
