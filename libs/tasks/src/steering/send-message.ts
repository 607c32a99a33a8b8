import type { MessageBody, TimelineItem } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { alterTask } from '../moves/alter-task.ts';
import { isFinal } from '../records/tasks/task.ts';
import { toTimelineItem } from '../records/timeline/timeline-item.ts';
import { countPendingMessages, maxPendingMessages } from '../records/directives/directive.store.ts';
import { sendDirective } from '../moves/send-directive.ts';

/** Throws 409 `state` for a final task, and `limit` while too many messages wait. */
export async function sendMessage(
  ctx: UseCaseContext,
  { taskId, body: { content } }: { taskId: string; body: MessageBody },
): Promise<TimelineItem> {
  const { result: entry } = await alterTask(ctx, { taskId }, async (tx, change) => {
    if (isFinal(change.task.status)) throw takesNoMessages(change.task.status);
    if ((await countPendingMessages(tx, taskId)) >= maxPendingMessages) throw tooMany();
    await sendDirective(tx, change, { kind: 'message', data: { content, author: change.actor } });
    return change.addEntry('message', { content });
  });
  return toTimelineItem(entry);
}

function takesNoMessages(status: string): AppError {
  const message = `The task is ${status} and takes no more messages.`;
  return new AppError('conflict', { field: 'status', constraint: 'state', message });
}

function tooMany(): AppError {
  const message = `The task already has ${maxPendingMessages} messages that no agent has acknowledged. Wait until some are acknowledged.`;
  return new AppError('conflict', { field: 'content', constraint: 'limit', message });
}
