import type { Schemas } from '../api/client.ts';
import { priorities, taskStatuses } from '../work/task-words.ts';

/** What the address of the list says. */
export type TaskSearch = {
  view?: 'board';
  status?: Schemas['TaskStatus'];
  priority?: Schemas['TaskPriority'];
  assigned_role?: string;
  assigned_agent?: string;
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

const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((one) => one === value);
const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text === '' ? undefined : text.slice(0, 200);
};

/** Reads the address; what it does not know is left out, so that old and mistyped links open. */
export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const found = {
    view: oneOf(['board'], search['view']),
    status: oneOf(taskStatuses, search['status']),
    priority: oneOf(priorities, search['priority']),
    assigned_role: textOf(search['assigned_role']),
    assigned_agent: textOf(search['assigned_agent']),
    tag: textOf(search['tag']),
    sort: oneOf(sorts, search['sort']),
    new: search['new'] === true ? true : undefined,
    saved: textOf(search['saved']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as TaskSearch;
}

/** The part of the address that the API filters and sorts by. */
export const filtersOf = ({ view: _view, new: _new, saved: _saved, ...filters }: TaskSearch) => filters;
