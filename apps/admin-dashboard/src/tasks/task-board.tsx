import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { shownTotalOf, totalOf } from '../shell/waiting.ts';
import type { TaskStatus } from '../resources/task-queries.ts';
import { statusLabel, taskStatuses } from '../resources/task-words.ts';
import { columnQuery } from './list-queries.ts';
import type { TaskSearch } from './task-search.ts';
import styles from './tasks.module.css';

/** A column for each status, with its newest tasks. */
export function TaskBoard({ search }: { search: TaskSearch }) {
  const shown = search.status ? [search.status] : taskStatuses.filter((status) => status !== 'cancelled');
  return (
    <div className={styles['board']} tabIndex={0} role="group" aria-label="Tasks by status">
      {shown.map((status) => (
        <Column key={status} search={search} status={status} />
      ))}
    </div>
  );
}

function Column({ search, status }: { search: TaskSearch; status: TaskStatus }) {
  const { data, error, refetch } = useQuery(columnQuery(search, status));
  const more = totalOf(data) - (data?.data.length ?? 0);
  return (
    <section className={styles['column']} aria-label={statusLabel(status)}>
      <h2>
        {statusLabel(status)} <span>{shownTotalOf(data)}</span>
      </h2>
      {!data && <NotRead error={error} onRetry={() => void refetch()} />}
      {data?.data.map(({ id, title, priority, created_at: at }) => (
        <Link
          key={id}
          to="/tasks/$taskId"
          params={{ taskId: id }}
          className={styles['card']}
          data-opens-page
          dir="auto"
        >
          {title}
          <br />
          <span className={parts['small']}>
            {priority}, <Moment at={at} />
          </span>
        </Link>
      ))}
      {more > 0 && (
        <Link to="/tasks" search={{ ...search, view: undefined, status }} className={styles['card']}>
          {more} more
        </Link>
      )}
    </section>
  );
}
