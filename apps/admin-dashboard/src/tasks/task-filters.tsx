import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../work/task-queries.ts';
import { priorities, statusLabel, taskStatuses } from '../work/task-words.ts';
import { type TaskSearch, taskSorts } from './task-search.ts';
import styles from './tasks.module.css';

type FiltersProps = { search: TaskSearch; onChange: (change: Record<string, string | undefined>) => void };

/** Filters and order: they stand in the address, so a view can be shared and bookmarked. */
export function TaskFilters({ search, onChange }: FiltersProps) {
  const agents = useQuery(agentsQuery).data?.data ?? [];
  const roles = [...new Set(agents.map(({ role }) => role))].sort();
  const choices = {
    status: { any: 'Any status', options: taskStatuses.map((status) => [status, statusLabel(status)]) },
    priority: { any: 'Any priority', options: priorities.map((one) => [one, one]) },
    assigned_role: { any: 'Any role', options: roles.map((role) => [role, role]) },
    assigned_agent: { any: 'Any agent', options: agents.map(({ id, name }) => [id, name]) },
    sort: { any: 'Newest first', options: Object.entries(taskSorts).slice(1) },
  };
  return (
    <div className={styles['filters']} role="group" aria-label="Filters">
      {Object.entries(choices).map(([name, { any, options }]) => (
        <select
          key={name}
          aria-label={any}
          value={search[name as keyof typeof choices] ?? ''}
          onChange={({ target }) => onChange({ [name]: target.value || undefined })}
        >
          <option value="">{any}</option>
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ))}
      <input
        aria-label="Tag"
        placeholder="Tag"
        defaultValue={search.tag ?? ''}
        onBlur={({ target }) => onChange({ tag: target.value || undefined })}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </div>
  );
}
