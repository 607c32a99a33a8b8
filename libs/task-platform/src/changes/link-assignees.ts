import { isId } from '@eas/core';
import { datedSet, isNotOlder } from './dated-set.ts';
import type { PlatformUser } from './platform-user.ts';
import type { TaskChange } from './task-change.ts';
import type { LinkMemory, PlatformEntry, TaskDetails } from './task-details.ts';

type Change = { from: string | null; to: string | null };

/** What the platform's assignees, labels and places make of a task: what they had set before, and what they set now. */
export type Assignment = { agent?: Change; role?: Change; project?: Change };

type AssigneeChange = Extract<TaskChange, { field: 'assignee' | 'assignees' }>;
type Assignees = NonNullable<TaskDetails['assignees']>;

const maxAssignees = 50;
const maxSingleDates = 200;

/** Remembers who is assigned on the platform. Gives the entry that says so where that differs. */
export function mergeAssignees(
  next: LinkMemory,
  change: AssigneeChange,
  targetOf: (user: PlatformUser) => string | undefined,
): PlatformEntry[] {
  const { fieldDates: dates, details } = next;
  const single = datedSet(dates, { whole: 'assignees', member: 'assignee' });
  const before = details.assignees ?? [];
  const all = new Map(before.map((one) => [one.id, one]));
  const add = (user: PlatformUser) => void all.set(user.key, assigneeOf(user, targetOf(user)));
  if (change.field === 'assignee') {
    for (const { key } of change.removed) if (single.move(key, false, change.at)) all.delete(key);
    for (const user of change.added) if (single.move(user.key, true, change.at)) add(user);
    single.prune(maxSingleDates);
  } else if (isNotOlder(dates, 'assignees', change.at)) {
    dates['assignees'] = change.at;
    const later = new Set(single.movedAfter(change.at));
    for (const { id } of before) if (!later.has(id)) all.delete(id);
    for (const user of change.value) if (!later.has(user.key)) add(user);
  }
  const after = [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, maxAssignees);
  details.assignees = after;
  const [from, to] = [namesOf(before), namesOf(after)];
  if (from === to) return [];
  return [{ field: 'assignees', ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }];
}

function assigneeOf({ key, name, email }: PlatformUser, target: string | undefined): Assignees[number] {
  const one = { id: key, name: (name ?? email ?? key).slice(0, 200).toWellFormed() };
  return target === undefined ? one : { ...one, target };
}

const namesOf = (assignees: Assignees) =>
  assignees
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 1_000)
    .toWellFormed();

/** Of several the first by id counts, as an agent and as a role. Remembers what it sets; undefined where nothing differs. */
export function assignmentOf(details: TaskDetails): Assignment | undefined {
  const ofAssignees = (details.assignees ?? []).flatMap(({ target }) => (target === undefined ? [] : [target]));
  const targets = [...ofAssignees, ...(details.label_targets ?? [])];
  const isAgent = (target: string) => isId('agent', target);
  const agent = { from: details.set_agent ?? null, to: targets.find(isAgent) ?? null };
  const role = { from: details.set_role ?? null, to: targets.find((target) => !isAgent(target)) ?? null };
  remember(details, 'set_agent', agent.to);
  remember(details, 'set_role', role.to);
  if (agent.from === agent.to && role.from === role.to) return undefined;
  return { ...(agent.from === agent.to ? {} : { agent }), ...(role.from === role.to ? {} : { role }) };
}

/** What the list, folder and space make of the project of a task: the first that stands for one. As assignmentOf. */
export function projectOf(
  details: TaskDetails,
  projectOfPlace: (id: string) => string | undefined,
): Assignment['project'] {
  const places = [details.list, details.folder, details.space];
  const to = places.map((id) => (id === undefined ? undefined : projectOfPlace(id))).find((id) => id !== undefined);
  const project = { from: details.set_project ?? null, to: to ?? null };
  remember(details, 'set_project', project.to);
  return project.from === project.to ? undefined : project;
}

function remember(details: TaskDetails, field: 'set_agent' | 'set_role' | 'set_project', value: string | null): void {
  if (value === null) delete details[field];
  else details[field] = value;
}
