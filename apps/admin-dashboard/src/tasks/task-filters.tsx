import { useQuery } from '@tanstack/react-query';
import {
  ChoiceFilter,
  type ChoiceFilterProps,
  LogFilters,
  plainOptions,
  TextFilter,
} from '../work/log/log-filters.tsx';
import { agentsQuery } from '../work/task-queries.ts';
import { priorities, statusLabel, taskStatuses } from '../work/task-words.ts';
import { type TaskSearch, taskSorts } from './task-search.ts';

type FiltersProps = { search: TaskSearch; onChange: (change: Record<string, string | undefined>) => void };

/** Filters and order: they stand in the address, so a view can be shared and bookmarked. */
export function TaskFilters({ search, onChange }: FiltersProps) {
  const agents = useQuery(agentsQuery).data?.data ?? [];
  const roles = [...new Set(agents.map(({ role }) => role))].sort();
  const choices: Record<string, Choice> = {
    status: { label: 'Status', any: 'Any status', options: labelled(taskStatuses, statusLabel) },
    priority: { label: 'Priority', any: 'Any priority', options: plainOptions(priorities) },
    assigned_role: { label: 'Role', any: 'Any role', options: plainOptions(roles) },
    assigned_agent: {
      label: 'Agent',
      any: 'Any agent',
      options: Object.fromEntries(agents.map(({ id, name }) => [id, name])),
    },
    sort: { label: 'Sort by', any: newestFirst, options: otherSorts },
  };
  return (
    <LogFilters>
      {Object.entries(choices).map(([name, choice]) => (
        <ChoiceFilter
          key={name}
          {...choice}
          value={search[name as keyof TaskSearch]?.toString()}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <TextFilter label="Tag" value={search.tag} onChange={(tag) => onChange({ tag })} />
    </LogFilters>
  );
}

type Choice = Pick<ChoiceFilterProps, 'label' | 'any' | 'options'>;
const { '-created_at': newestFirst, ...otherSorts } = taskSorts;
const labelled = <T extends string>(values: readonly T[], labelOf: (value: T) => string) =>
  Object.fromEntries(values.map((value) => [value, labelOf(value)]));
