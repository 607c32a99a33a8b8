import type { CommentBody, TimelineItem } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { addComment } from '../moves/add-comment.ts';
import { toTimelineItem } from '../records/timeline/timeline-item.ts';
import { alterTask } from '../moves/alter-task.ts';

/** Adds a comment to a task in any state and gives its timeline entry. Throws 409 `limit` for one too many. */
export async function commentOnTask(
  ctx: UseCaseContext,
  { taskId, body: { content } }: { taskId: string; body: CommentBody },
): Promise<TimelineItem> {
  const { result: entry } = await alterTask(ctx, { taskId }, async (_tx, change) =>
    addComment(change, { content }, ctx.limits),
  );
  return toTimelineItem(entry);
}
