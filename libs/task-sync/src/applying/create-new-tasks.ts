import { contextInTransaction, eachInTransaction, type UseCaseContext } from '@eas/db';
import { createTask } from '@eas/tasks';
import { type CreatedTask, isNewTask, newTaskOf } from '../merging/new-task.ts';
import { taskKeyOf, taskText } from '../merging/platform-keys.ts';
import type { PlatformWriter } from './platform-writer.ts';
import type { Read, ReadReceipt } from '../merging/read-receipt.ts';
import { asSender } from './sender-context.ts';

/** Creates the task of an event that is the first one about it. */
export async function createNewTask(
  ctx: UseCaseContext,
  writer: PlatformWriter,
  read: Read<'task'>,
): Promise<CreatedTask> {
  const { input, link, rest } = newTaskOf(writer.state, read);
  const { id: taskId } = await createTask(asSender(ctx, link.integrationRef), input);
  await writer.write(ctx, [
    { kind: 'link', link: { ...link, taskId } },
    { kind: 'read task', key: taskKeyOf(read) },
  ]);
  return { taskId, rest };
}

/** Creates the tasks whose first receipts create them, in few statements. Returns each by its receipt. */
export async function createNewTasks(
  ctx: UseCaseContext,
  writer: PlatformWriter,
  receipts: readonly ReadReceipt[],
): Promise<Map<string, CreatedTask>> {
  const reads = receipts.flatMap((read) => (read.kind === 'task' ? [read] : []));
  const byTask = Map.groupBy(reads, (read) => taskText(taskKeyOf(read)));
  const first = [...byTask.values()].flatMap(([read]) => (read && isNewTask(writer.state, read) ? [read] : []));
  if (first.length === 0) return new Map();
  const created = await ctx.inTransaction((tx) =>
    eachInTransaction(contextInTransaction(ctx, tx), tx, first, async (together, read) => {
      return { read, ...(await createNewTask(together, writer, read)) };
    }),
  );
  // What is changed as well is locked at once.
  const changed = created.filter(
    ({ read, rest }) => rest !== undefined || (byTask.get(taskText(taskKeyOf(read)))?.length ?? 0) > 1,
  );
  await writer.lock(changed.map(({ taskId }) => taskId));
  return new Map(created.map(({ read, ...task }) => [read.receipt.id, task]));
}
