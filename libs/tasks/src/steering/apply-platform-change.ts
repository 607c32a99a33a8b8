import type { Tx, UseCaseContext } from '@eas/db';
import type { TaskChange } from '../moves/task-change.ts';
import { addComment } from '../moves/add-comment.ts';
import { isFinal, type TaskPriority } from '../records/tasks/task.ts';
import { alterTask } from '../moves/alter-task.ts';
import { endTask, reopenTask } from './move-task.ts';
import { setFields } from '../records/tasks/task-fields.ts';

/** What a task platform says of a task. Absent fields stay as they are. */
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
  comments?: { content: string; author: string }[];
  /** open: may be worked on; hold: waits for the platform while unclaimed; the others end the task. */
  status?: 'open' | 'hold' | 'completed' | 'cancelled';
  platformStatus?: string;
  /** How the platform had ended it: a task that still stands so is opened first, any other stays as it is. */
  takesBack?: 'completed' | 'cancelled';
};

const maxTags = 50;

/** Applying the same again changes nothing; a status that the task cannot take is skipped. Names what changed. */
export async function applyPlatformChange(ctx: UseCaseContext, input: PlatformChange): Promise<{ changed: string[] }> {
  const { taskId, changes, comments = [], status, platformStatus, takesBack } = input;
  const endsLease = status === 'completed' || status === 'cancelled';
  return alterTask(ctx, { taskId, endsLease }, async (tx, change) => {
    const { title, description, priority, dueDate } = changes;
    setFields(change.task, { title, description, priority, dueDate, tags: tagsAfter(change.task.tags, changes) });
    if (platformStatus !== undefined) change.addEntry('platform_status', { status: platformStatus });
    for (const comment of comments) addComment(change, comment, ctx.limits);
    const { task } = change;
    if (task.status === takesBack) await reopenTask(tx, change);
    // What it takes back is not what ended the task.
    else if (takesBack !== undefined && isFinal(task.status)) return;
    await moveAsReported(tx, change, status);
  });
}

function tagsAfter(own: string[], { tags, addedTags = [], removedTags = [] }: PlatformChange['changes']): string[] {
  const removed = new Set(removedTags);
  return [...new Set([...(tags ?? own), ...addedTags])].filter((tag) => !removed.has(tag)).slice(0, maxTags);
}

async function moveAsReported(tx: Tx, change: TaskChange, status: PlatformChange['status']): Promise<void> {
  const { task } = change;
  if (status === undefined) return;
  if (isFinal(task.status)) return status === 'open' ? reopenTask(tx, change) : undefined;
  task.isHeld = status === 'hold';
  if (status === 'completed' || status === 'cancelled') await endTask(tx, change, status);
}
