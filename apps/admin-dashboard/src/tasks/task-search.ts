import type { Schemas } from '../api/client.ts';
import { definedOf } from '../parts/defined.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';
import { priorities, taskStatuses } from '../resources/task-words.ts';

/** What the address of the list contains. */
export type TaskSearch = {
  view?: 'board';
  status?: Schemas['TaskStatus'];
  priority?: Schemas['TaskPriority'];
  assigned_role?: string;
  assigned_agent?: string;
  project?: string;
  tag?: string;
  sort?: TaskSort;
  new?: true;
  /** ID of the saved view that was chosen. */
  saved?: string;
};

const sorts = ['-created_at', 'created_at', 'due_date', '-priority', 'title'] as const;
export type TaskSort = (typeof sorts)[number];
export const taskSorts: Readonly<Record<TaskSort, string>> = {
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  due_date: 'Due first',
  '-priority': 'Most urgent first',
  title: 'By title',
};

const texted = [
  'view',
  'status',
  'priority',
  'sort',
  'assigned_role',
  'assigned_agent',
  'project',
  'tag',
  'saved',
] as const;

/** Reads the address and ignores unknown parts, so that old and mistyped links open. */
export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const { view, status, priority, sort, ...texts } = readTexts(search, texted);
  const found = {
    view: oneOf(['board'], view),
    status: oneOf(taskStatuses, status),
    priority: oneOf(priorities, priority),
    sort: oneOf(sorts, sort),
    new: search['new'] === true ? true : undefined,
    ...texts,
  };
  return definedOf(found) as TaskSearch;
}

/** The part of the address that the API filters and sorts by. */
export const filtersOf = ({ view: _view, new: _new, saved: _saved, ...filters }: TaskSearch) => filters;
