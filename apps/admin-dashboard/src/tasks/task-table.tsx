import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState, Loading, ProblemNote } from '../parts/notes.tsx';
import { type TaskSummary } from '../work/task-queries.ts';
import { StatusTag } from '../work/status-tag.tsx';
import { type CursorPages, useCursorPages } from '../work/use-cursor-pages.ts';
import { taskPages } from './list-queries.ts';
import type { TaskSearch } from './task-search.ts';
import styles from './tasks.module.css';

const rowHeight = 36;

export function TaskTable({ search, onCreate }: { search: TaskSearch; onCreate: () => void }) {
  const pages = useCursorPages(taskPages(search));
  if (pages.error && pages.rows.length === 0) return <ProblemNote error={pages.error} onRetry={pages.refetch} />;
  if (!pages.isLoaded) return <Loading />;
  if (pages.total === 0)
    return (
      <EmptyState title="No tasks" action={<Button onClick={onCreate}>Create a task</Button>}>
        No task fits these filters. Clear them, or create a task for the agents of a role.
      </EmptyState>
    );
  return <Rows {...pages} />;
}

function Rows({ rows: tasks, total = -1, showRows }: CursorPages<TaskSummary>) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: tasks.length,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroll.current,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => showRows(first, last));
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      role="table"
      aria-label="Tasks"
      aria-rowcount={total === undefined || total < 0 ? -1 : total + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className={styles['headRow']}>
        <div role="row" aria-rowindex={1} className={styles['row']} style={{ position: 'static' }}>
          {['Title', 'Status', 'Priority', 'Role', 'Created'].map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles['space']} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <Row key={index} task={tasks[index]} index={index} start={start} />
        ))}
      </div>
    </div>
  );
}

function Row({ task, index, start }: { task: TaskSummary | undefined; index: number; start: number }) {
  return (
    <div role="row" aria-rowindex={index + 2} className={styles['row']} style={{ transform: `translateY(${start}px)` }}>
      <span role="cell">
        {task && (
          <Link to="/tasks/$taskId" params={{ taskId: task.id }} data-opens-page title={task.title}>
            {task.title}
          </Link>
        )}
      </span>
      <span role="cell">{task && <StatusTag status={task.status} />}</span>
      <span role="cell">{task?.priority}</span>
      <span role="cell">{task?.assigned_role ?? 'any'}</span>
      <span role="cell">{task && <Moment at={task.created_at} />}</span>
    </div>
  );
}
