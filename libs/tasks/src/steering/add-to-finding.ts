import type { UseCaseContext } from '@eas/db';
import { alterTask } from '../moves/alter-task.ts';
import { isReplacedCommit } from '../records/tasks/artifact.store.ts';
import { isFinal } from '../records/tasks/task.ts';
import { type Finding, sendFinding } from './take-finding.ts';

/**
 * Adds to the finding that a task was sent back with. Nothing for a task that is over, or whose agent has replaced the
 * commit. Throws 404.
 */
export async function addToFinding(
  ctx: UseCaseContext,
  { taskId, text, sha }: Pick<Finding, 'text'> & { taskId: string; sha: string },
): Promise<void> {
  await alterTask(ctx, { taskId }, async (tx, change) => {
    if (isFinal(change.task.status) || (await isReplacedCommit(tx, change.task, sha))) return;
    await sendFinding(tx, change, text);
  });
}
