import { contextInTransaction, gatherTogether, type UseCaseContext } from '@eas/db';
import { createTask } from '@eas/tasks';
import type { ReadReceipt } from './read-receipt.ts';
import { asSender } from './sender-context.ts';
import { type PlatformBatch, taskKeyOf, unlabelledKey } from './platform-batch.ts';
import type { TaskChange } from '../platform/task-change.ts';
import { emptyMemory, isEmptyPatch, mergeReported, type TaskPatch } from '../platform/task-link.ts';

/** A task made of the first event about it. `left`: what is still to be applied, such as comments or its end. */
export type MadeTask = { taskId: string; left: TaskPatch | undefined };

type TaskReceipt = Extract<ReadReceipt, { kind: 'task' }>;

/** Some things become a task only by a label that stands for a role or an agent. */
export function makesTask(batch: PlatformBatch, { receipt, reported: { labels } }: TaskReceipt): boolean {
  const { targetOfLabel } = batch.rulesOf(receipt.integrationRef);
  return labels === undefined || labels.some((label) => targetOfLabel(label) !== undefined);
}

export async function createPlatformTask(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: TaskReceipt,
): Promise<MadeTask> {
  const { integrationRef, externalId } = taskKeyOf(read);
  const known = (batch.objectOf(unlabelledKey(taskKeyOf(read)))?.data ?? {}) as { changes?: TaskChange[] };
  const reported = { ...read.reported, changes: [...read.reported.changes, ...(known.changes ?? [])] };
  const { patch, memory } = mergeReported(emptyMemory, reported, batch.rulesOf(integrationRef));
  const deleted = batch.tombstoneOf(taskKeyOf(read));
  const project = patch.assignment?.project?.to;
  const { title, description, priority, dueDate, tags, addedTags } = patch.changes;
  const { id: taskId } = await createTask(ctx, {
    title: title ?? `Task ${externalId}`,
    description: description ?? '',
    priority,
    due_date: dueDate ?? null,
    assigned_role: patch.assignment?.role?.to ?? null,
    assigned_agent: null,
    tags: (tags ?? addedTags)?.slice(0, 50),
    metadata: { ticket_id: externalId, ...read.reported.metadata },
    ...(project ? { suggested_project: project } : {}),
    is_held: patch.status === 'hold',
  });
  const fieldDates = deleted === undefined ? memory.fieldDates : { ...memory.fieldDates, deleted };
  batch.setLink({ ...memory, integrationRef, externalId, taskId, fieldDates });
  batch.wantRead({ integrationRef, externalId });
  return { taskId, left: leftOf(patch) };
}

/** A task that starts open, and of which nothing but fields is known, is complete as it was made. */
function leftOf(patch: TaskPatch): TaskPatch | undefined {
  const { agent } = patch.assignment ?? {};
  const status = patch.status === 'open' ? undefined : patch.status;
  const left = { ...patch, changes: {}, assignment: agent && { agent }, status };
  return isEmptyPatch({ ...left, platformStatus: undefined }) ? undefined : left;
}

/** In few statements. Those that the platform had deleted before are left to be looked at one by one. */
export async function createNewTasks(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  receipts: readonly ReadReceipt[],
): Promise<Map<string, MadeTask>> {
  const byTask = Map.groupBy(
    receipts.flatMap((read) => (read.kind === 'task' && !batch.linkOf(taskKeyOf(read)) ? [read] : [])),
    (read) => Object.values(taskKeyOf(read)).join(' '),
  );
  const isFresh = (read: TaskReceipt) =>
    read.reported.deletedAt === undefined && batch.tombstoneOf(taskKeyOf(read)) === undefined && makesTask(batch, read);
  const fresh = [...byTask.values()].filter(([first]) => first && isFresh(first));
  if (fresh.length === 0) return new Map();
  const made = await createTogether(
    ctx,
    batch,
    fresh.flatMap(([first]) => first ?? []),
  );
  // What is changed as well is locked at once.
  const isChanged = (_: unknown, index: number) => made[index]?.left !== undefined || (fresh[index]?.length ?? 0) > 1;
  await batch.tasks.lock(made.filter(isChanged).map(({ taskId }) => taskId));
  return new Map(fresh.flatMap(([first], index) => (first && made[index] ? [[first.receipt.id, made[index]]] : [])));
}

async function createTogether(ctx: UseCaseContext, batch: PlatformBatch, fresh: TaskReceipt[]): Promise<MadeTask[]> {
  return ctx.inTransaction(async (tx) => {
    const together = { ...contextInTransaction(ctx, tx), gather: gatherTogether(tx) };
    const settled = await Promise.allSettled(
      fresh.map((read) => createPlatformTask(asSender(together, read.receipt.integrationRef), batch, read)),
    );
    // Only now: what is still under way when one fails would write behind the rollback.
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  });
}
