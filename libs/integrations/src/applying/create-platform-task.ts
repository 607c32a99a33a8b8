import { contextInTransaction, gatherTogether, type UseCaseContext } from '@eas/db';
import { createTask } from '@eas/tasks';
import type { ReadReceipt } from './read-receipt.ts';
import { asSender } from './sender-context.ts';
import { type PlatformBatch, taskKeyOf } from './platform-batch.ts';
import { emptyMemory, mergeNews, type TaskPatch } from '../platform/task-link.ts';

/** A task made of the first event about it. Comments and a status other than open are still to be applied. */
export type MadeTask = { taskId: string; patch: TaskPatch };

type TaskReceipt = Extract<ReadReceipt, { kind: 'task' }>;

export async function createPlatformTask(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: TaskReceipt,
): Promise<MadeTask> {
  const { integrationRef, externalId } = taskKeyOf(read);
  const { patch, memory } = mergeNews(emptyMemory, read.news, batch.rulesOf(integrationRef));
  const deleted = batch.tombstoneOf(taskKeyOf(read));
  const { title, description, priority, dueDate, tags, addedTags } = patch.changes;
  const { id: taskId } = await createTask(ctx, {
    title: title ?? `Task ${externalId}`,
    description: description ?? '',
    priority: priority ?? 'medium',
    due_date: dueDate ?? null,
    assigned_role: null,
    assigned_agent: null,
    tags: (tags ?? addedTags ?? []).slice(0, 50),
    metadata: { ticket_id: externalId },
    is_held: patch.status === 'hold',
  });
  const fieldDates = deleted === undefined ? memory.fieldDates : { ...memory.fieldDates, deleted };
  batch.setLink({ ...memory, integrationRef, externalId, taskId, fieldDates });
  return { taskId, patch };
}

/** In few statements. Those that the platform had deleted before are left to be looked at one by one. */
export async function createNewTasks(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  receipts: readonly ReadReceipt[],
): Promise<Map<string, MadeTask>> {
  const firsts = new Map<string, TaskReceipt>();
  for (const read of receipts) {
    if (read.kind !== 'task' || batch.linkOf(taskKeyOf(read))) continue;
    const { integrationRef, externalId } = taskKeyOf(read);
    const key = `${integrationRef} ${externalId}`;
    if (!firsts.has(key)) firsts.set(key, read);
  }
  const isFresh = (read: TaskReceipt) =>
    read.news.deletedAt === undefined && batch.tombstoneOf(taskKeyOf(read)) === undefined;
  const fresh = [...firsts.values()].filter(isFresh);
  if (fresh.length === 0) return new Map();
  return ctx.inTransaction(async (tx) => {
    const together = { ...contextInTransaction(ctx, tx), gather: gatherTogether(tx) };
    const settled = await Promise.allSettled(
      fresh.map(async (read) => {
        const task = await createPlatformTask(asSender(together, read.receipt.integrationRef), batch, read);
        return [read.receipt.id, task] as const;
      }),
    );
    // Only now: what is still under way when one fails would write behind the rollback.
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return new Map(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  });
}
