import type { TenantLimits, Tx, UseCaseContext } from '@eas/db';
import type { TaskChange } from '../moves/task-change.ts';
import { addComment } from '../moves/add-comment.ts';
import { changeComment } from '../moves/change-comment.ts';
import { lockAssignable } from '../records/agents/agent.store.ts';
import { isFinal, type Task, type TaskPriority } from '../records/tasks/task.ts';
import { type TasksTogether, tasksTogether } from '../moves/alter-together.ts';
import { suggestedProject } from '../moves/project-of-task.ts';
import { endTask, reopenTask } from './move-task.ts';
import { setFields } from '../records/tasks/task-fields.ts';
import { keepStage, type PullRequestStage } from './keep-stage.ts';
import { type Finding, takeFinding } from './take-finding.ts';

/** A task platform's update of a task. Absent fields stay unchanged. */
export type PlatformChange = {
  taskId: string;
  changes: {
    title?: string;
    description?: string;
    priority?: TaskPriority;
    dueDate?: Date | null;
    /** The whole set; the two below change the task's own. */
    tags?: string[];
    addedTags?: string[];
    removedTags?: string[];
  };
  comments?: PlatformComment[];
  /** What the platform reports that tasks have no field for. */
  entries?: { field: string; title?: string; from?: string; to?: string }[];
  /** What happened to pull requests that are linked to it, in order. */
  stages?: PullRequestStage[];
  /** What is wrong with the work on it. A task that is in review has to be locked as `ending`. */
  findings?: readonly Finding[];
  /** The agents of the platform's assignees, and its containers: their previous and new values. */
  assignment?: { agent?: Reassigned; role?: Reassigned; project?: Reassigned };
  /** open: may be worked on; hold: waits for the platform while unclaimed; the others end the task. */
  status?: 'open' | 'hold' | 'completed' | 'cancelled';
  platformStatus?: string;
  /** How the platform had ended it: a task that is still in that state is opened first, any other is unchanged. */
  takesBack?: 'completed' | 'cancelled';
};

/** A new comment; or, by the number of its entry, another content of one that there is. null: it was deleted. */
export type PlatformComment =
  { entry?: undefined; content: string; author: string } | { entry: number; content: string | null };

type Reassigned = { from: string | null; to: string | null };

const maxTags = 50;

type PlatformResult = { changed: string[]; comments: number[] };

/** Changes of tasks of one transaction, applied in turn and written together. */
export type PlatformChanges = Pick<TasksTogether, 'lock' | 'save'> & {
  /**
   * Changes a task, by the actor of `ctx`. Applying the same again changes nothing; an impossible status is skipped. A
   * change that ends a lease needs its task locked as `ending`. Returns what changed, and the entry of each comment.
   */
  apply(ctx: UseCaseContext, input: PlatformChange): Promise<PlatformResult>;
};

export function platformChanges(tx: Tx): PlatformChanges {
  const { lock, save, alter } = tasksTogether(tx);
  return {
    lock,
    save,
    async apply(ctx, input) {
      const { changed, result } = await alter(input.taskId, ctx, alterAsReported(input, ctx.limits));
      return { changed, comments: result };
    },
  };
}

const alterAsReported = (input: PlatformChange, limits: TenantLimits) => async (tx: Tx, change: TaskChange) => {
  setReportedFields(change.task, input.changes);
  const { assignment, platformStatus, entries = [], comments = [] } = input;
  if (assignment) await reassign(tx, change.task, assignment);
  if (platformStatus !== undefined) change.addEntry('platform_status', { status: platformStatus });
  for (const entry of entries) change.addEntry('platform_change', entry);
  for (const stage of input.stages ?? []) await keepStage(tx, change, stage);
  const numbers = comments.map((comment) => keepComment(change, comment, limits));
  for (const finding of input.findings ?? []) await takeFinding(tx, change, finding);
  await move(tx, change, input);
  return numbers;
};

function setReportedFields(task: Task, changes: PlatformChange['changes']): void {
  const { title, description, priority, dueDate } = changes;
  setFields(task, { title, description, priority, dueDate, tags: tagsAfter(task.tags, changes) });
}

function keepComment(change: TaskChange, comment: PlatformComment, limits: TenantLimits): number {
  if (comment.entry === undefined) return addComment(change, comment, limits).seq;
  changeComment(change, comment);
  return comment.entry;
}

/** Pins agents and undoes what the platform had set; a task that an agent holds stays with it. */
async function reassign(tx: Tx, task: Task, assignment: NonNullable<PlatformChange['assignment']>): Promise<void> {
  const { agent, role, project } = assignment;
  if (project) setFields(task, { projectId: await suggestedProject(tx, task, project) });
  if (task.leaseId !== null) return;
  if (role && (role.to !== null || task.assignedRole === role.from)) setFields(task, { assignedRole: role.to });
  if (!agent) return;
  const isUsable = agent.to !== null && agent.to !== task.notFor && (await lockAssignable(tx, agent.to)) !== undefined;
  if (isUsable) {
    setFields(task, { assignedAgent: agent.to });
    task.isPinned = true;
  } else if (task.isPinned && task.assignedAgent === agent.from) setFields(task, { assignedAgent: null });
}

async function move(tx: Tx, change: TaskChange, { status, takesBack }: PlatformChange): Promise<void> {
  const { task } = change;
  if (task.status === takesBack) await reopenTask(tx, change);
  // Undoing this does not affect how the task ended.
  else if (takesBack !== undefined && isFinal(task.status)) return;
  await moveAsReported(tx, change, status);
}

/** The same tags in another order are no change. */
function tagsAfter(own: string[], { tags, addedTags = [], removedTags = [] }: PlatformChange['changes']): string[] {
  const after = new Set([...(tags ?? own), ...addedTags]);
  for (const tag of removedTags) after.delete(tag);
  const isSame = after.size === own.length && own.every((tag) => after.has(tag));
  return isSame ? own : [...after].slice(0, maxTags);
}

async function moveAsReported(tx: Tx, change: TaskChange, status: PlatformChange['status']): Promise<void> {
  const { task } = change;
  if (status === undefined) return;
  if (isFinal(task.status)) return status === 'open' ? reopenTask(tx, change) : undefined;
  task.isHeld = status === 'hold';
  if (status === 'completed' || status === 'cancelled') await endTask(tx, change, status);
}
