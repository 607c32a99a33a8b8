import { Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState, Loading, ProblemNote } from '../parts/notes.tsx';
import { type LogColumn, RowTable } from '../resources/log-table.tsx';
import { NoAgentHas } from '../resources/no-agent-has.tsx';
import type { TaskSummary } from '../resources/task-queries.ts';
import { StatusTag } from '../resources/status-tag.tsx';
import { isOpen } from '../resources/task-words.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { taskPages } from './list-queries.ts';
import type { TaskSearch } from './task-search.ts';
import styles from './tasks.module.css';

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
  return (
    <RowTable label="Tasks" pages={pages} columns={columns} look={{ scroll: styles['scroll'], row: styles['row'] }} />
  );
}

const columns: readonly LogColumn<TaskSummary>[] = [
  {
    name: 'Title',
    show: ({ id, title }) => (
      <Link to="/tasks/$taskId" params={{ taskId: id }} data-opens-page title={title}>
        {title}
      </Link>
    ),
  },
  { name: 'Status', show: ({ status }) => <StatusTag status={status} /> },
  { name: 'Priority', show: ({ priority }) => priority },
  {
    name: 'Role',
    show: ({ assigned_role: role, assigned_agent: agent, status }) => (
      <>
        {role ?? 'any'} {isOpen(status) && agent === null && <NoAgentHas role={role} />}
      </>
    ),
  },
  { name: 'Created', show: ({ created_at: at }) => <Moment at={at} /> },
];
