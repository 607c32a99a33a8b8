import {
  ChoiceFilter,
  type ChoiceFilterProps,
  LogFilters,
  plainOptions,
  TextFilter,
} from '../resources/log/log-filters.tsx';
import { NameFilter } from '../resources/names/name-choice.tsx';
import { RoleFilter } from '../resources/names/role-filter.tsx';
import { agentNames, projectNames } from '../resources/names/sources.ts';
import { priorities, statusLabel, taskStatuses } from '../resources/task-words.ts';
import { type TaskSearch, taskSorts } from './task-search.ts';

type FiltersProps = { search: TaskSearch; onChange: (change: Record<string, string | undefined>) => void };

/** Filters and order are part of the address, so a view can be shared and bookmarked. */
export function TaskFilters({ search, onChange }: FiltersProps) {
  const filter = (name: Exclude<keyof TaskSearch, 'new'>) => ({
    value: search[name],
    onChange: (value: string | undefined) => onChange({ [name]: value }),
  });
  return (
    <LogFilters>
      <ChoiceFilter {...choices.status} {...filter('status')} />
      <ChoiceFilter {...choices.priority} {...filter('priority')} />
      <RoleFilter {...filter('assigned_role')} />
      <NameFilter source={agentNames} label="Agent" any="Any agent" others={noAgent} {...filter('assigned_agent')} />
      <NameFilter source={projectNames} label="Project" any="Any project" {...filter('project')} />
      <ChoiceFilter {...choices.sort} {...filter('sort')} />
      <TextFilter label="Tag" {...filter('tag')} />
    </LogFilters>
  );
}

const noAgent = { none: 'No agent' };

type Choice = Pick<ChoiceFilterProps, 'label' | 'any' | 'options'>;
const { '-created_at': newestFirst, ...otherSorts } = taskSorts;
const statusOptions = Object.fromEntries(taskStatuses.map((status) => [status, statusLabel(status)]));
const choices = {
  status: { label: 'Status', any: 'Any status', options: statusOptions },
  priority: { label: 'Priority', any: 'Any priority', options: plainOptions(priorities) },
  sort: { label: 'Sort by', any: newestFirst, options: otherSorts },
} satisfies Record<string, Choice>;
