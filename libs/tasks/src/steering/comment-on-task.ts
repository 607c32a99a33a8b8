import type { CommentBody, TimelineItem } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { addComment } from '../moves/add-comment.ts';
import { toTimelineItem } from '../records/timeline/timeline-item.ts';
import { alterTask } from '../moves/alter-task.ts';

/** Adds a comment to a task in any state and returns its timeline entry. Throws 409 `limit` beyond the maximum. */
export async function commentOnTask(
  ctx: UseCaseContext,
  { taskId, body: { content } }: { taskId: string; body: CommentBody },
): Promise<TimelineItem> {
  const { result: entry } = await alterTask(ctx, { taskId }, async (_tx, change) =>
    addComment(change, { content }, ctx.limits),
  );
  return toTimelineItem(entry);
}
