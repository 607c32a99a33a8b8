import type { StoredEvent } from '@eas/contracts';
import { isId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getInput } from '@eas/tasks';
import { type NewCall, wantCalls } from '@eas/platform-calls';
import { questionText, resultText } from './comment-text.ts';
import { type LinkedTask, readLinkedTasks } from './linked-task.read-model.ts';

/**
 * Consumer `tell.follow`, and `platform.tell` of single events: what agents complete and ask is to be written to the platform that a task came from. One
 * status and one comment for each event and task, however often the event comes.
 */
export async function reportToPlatform(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const tasks = events.flatMap((event) => ('task_id' in event.data ? [event.data.task_id ?? ''] : []));
  const linked = Map.groupBy(await readLinkedTasks(ctx, tasks), ({ taskId }) => taskId);
  if (linked.size === 0) return;
  const calls: NewCall[] = [];
  for (const event of events) {
    if (event.type === 'task.completed' && isId('agent', event.data.completed_by))
      calls.push(...(linked.get(event.data.task_id) ?? []).flatMap((task) => completedCalls(task, event)));
    if (event.type === 'task.asked')
      calls.push(...(await questionCalls(ctx, linked.get(event.data.task_id) ?? [], event.data.input_id)));
  }
  await ctx.inTransaction((tx) => wantCalls(tx, calls));
}

function completedCalls(task: LinkedTask, event: StoredEvent<'task.completed'>): NewCall[] {
  const { taskId, integrationId, externalId, writeBack } = task;
  const call = { integrationId, externalId, key: event.eventId };
  const isStatusKept = writeBack?.status?.completed === false;
  const text = resultText(event.data.summary, event.eventId);
  return [
    ...(isStatusKept ? [] : [{ ...call, kind: 'status' as const, payload: { taskId } }]),
    ...(writeBack?.comments === false ? [] : [{ ...call, kind: 'comment' as const, payload: { taskId, text } }]),
  ];
}

async function questionCalls(ctx: UseCaseContext, tasks: readonly LinkedTask[], inputId: string): Promise<NewCall[]> {
  const open = tasks.filter(({ writeBack }) => writeBack?.comments !== false);
  if (open.length === 0) return [];
  const input = await getInput(ctx, { inputId, scopes: ['tasks:read'] });
  if (input.status !== 'pending') return [];
  const text = questionText(input);
  return open.map(({ taskId, integrationId, externalId }) => ({
    integrationId,
    kind: 'question',
    externalId,
    key: inputId,
    payload: { taskId, text },
  }));
}
