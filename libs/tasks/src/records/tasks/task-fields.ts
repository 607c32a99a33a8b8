import { isDeepStrictEqual } from 'node:util';
import { isUnclaimed, type Task } from './task.ts';

/** Fields of a task that a person or its platform may set. Undefined ones stay as they are. */
export type TaskFields = Partial<
  Pick<
    Task,
    | 'title'
    | 'description'
    | 'priority'
    | 'dueDate'
    | 'tags'
    | 'metadata'
    | 'projectId'
    | 'acceptance'
    | 'assignedRole'
    | 'assignedAgent'
  >
>;

/** Field of the row → its name on the wire, in the order in which changes are reported. */
const wireNames = {
  title: 'title',
  description: 'description',
  priority: 'priority',
  dueDate: 'due_date',
  tags: 'tags',
  metadata: 'metadata',
  projectId: 'project',
  acceptance: 'contract',
  assignedRole: 'assigned_role',
  assignedAgent: 'assigned_agent',
  status: 'status',
} as const;

export function changedFields(before: Task, after: Task): string[] {
  const fields = Object.keys(wireNames) as (keyof typeof wireNames)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  // Each move has it wait for something else.
  const waitsElse = before.status === after.status && before.reviewTaskId !== after.reviewTaskId;
  return [...changed.map((field) => wireNames[field]), ...(waitsElse ? ['waiting_on'] : [])];
}

/** Another agent pins the task, none unpins it. A plan is dropped when role or capabilities change. */
export function setFields(task: Task, fields: TaskFields): void {
  const before = { ...task };
  Object.assign(task, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  if (task.assignedAgent !== before.assignedAgent) task.isPinned = task.assignedAgent !== null;
  else if (!task.isPinned && isUnclaimed(task) && wantsOthers(before, task)) task.assignedAgent = null;
}

function wantsOthers(before: Task, after: Task): boolean {
  const wanted = ({ assignedRole, metadata }: Task) => [assignedRole, metadata['required_capabilities']];
  return !isDeepStrictEqual(wanted(before), wanted(after));
}
