import type { PlatformTaskEvent } from '@eas/contracts';
import { contextInTransaction, gatherTogether, type UseCaseContext } from '@eas/db';
import { createTask } from '@eas/tasks';
import type { WaitingReceipt } from '../inbound/inbound-event.store.ts';
import { asSender } from '../inbound/sender-context.ts';
import type { PlatformBatch } from './platform-batch.ts';
import { readTaskChanges } from './task-change.ts';
import { mergeChanges, type TaskPatch } from './task-link.ts';

/** A task made of the first event that told of it. Comments and a status other than open are still to be applied. */
export type MadeTask = { taskId: string; patch: TaskPatch };

/** Makes our task for a platform's task that is new to us, and links the two. */
export async function createPlatformTask(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  { integrationRef, body: text, receivedAt }: WaitingReceipt,
): Promise<MadeTask> {
  const body = JSON.parse(text) as PlatformTaskEvent;
  const externalId = body.task_id;
  const unknown = { platformStatus: null, fieldDates: {} };
  const changes = readTaskChanges(body, receivedAt);
  const { patch, memory } = mergeChanges(unknown, changes, (word) => batch.meaningOf(integrationRef, word));
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
  batch.setLink({ integrationRef, externalId, taskId, ...memory });
  return { taskId, patch };
}

/**
 * Makes the tasks that the receipts are the first to tell of, in few statements. A deletion that comes first makes
 * none.
 */
export async function createNewTasks(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  receipts: readonly WaitingReceipt[],
): Promise<Map<string, MadeTask>> {
  const firsts = new Map<string, WaitingReceipt>();
  for (const receipt of receipts) {
    const { source, event, integrationRef, externalId } = receipt;
    if (source !== 'taskplatform' || !event.startsWith('task') || externalId === null) continue;
    if (batch.linkOf({ integrationRef, externalId })) continue;
    const key = `${integrationRef} ${externalId}`;
    if (!firsts.has(key)) firsts.set(key, receipt);
  }
  const fresh = [...firsts.values()].filter(({ event }) => event !== 'taskDeleted');
  if (fresh.length === 0) return new Map();
  return ctx.inTransaction(async (tx) => {
    const together = { ...contextInTransaction(ctx, tx), gather: gatherTogether(tx) };
    const settled = await Promise.allSettled(
      fresh.map(async (receipt) => {
        const task = await createPlatformTask(asSender(together, receipt.integrationRef), batch, receipt);
        return [receipt.id, task] as const;
      }),
    );
    // Only now: what is still under way when one fails would write behind the rollback.
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return new Map(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  });
}
