import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import type { Applied } from '@eas/receiving';
import { readInboundRules } from '@eas/integrations';
import { applyReceipts } from './apply-receipts.ts';
import type { Read } from '../merging/read-receipt.ts';
import type { ReportedTask } from '@eas/task-platform';

/** A task as the platform's API gave it. */
export type ReadTask = { externalId: string; reported: ReportedTask };
export type ReadCounts = { created: number; updated: number; unchanged: number; failed: number };

const nothing: ReadCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 };

/**
 * Applies what was read from the platform's API, by the rules and dates by which webhooks count, in the transaction that
 * `ctx` carries. What our rules refuse is counted as failed, alone.
 */
export async function applyReadTasks(
  ctx: UseCaseContext,
  integrationId: string,
  tasks: readonly ReadTask[],
): Promise<ReadCounts> {
  if (tasks.length === 0) return nothing;
  try {
    return await applyTogether(ctx, integrationId, tasks);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [first] = tasks;
    if (tasks.length > 1) return applyOneByOne(ctx, integrationId, tasks);
    ctx.logger.warn(
      { integrationId, externalId: first?.externalId, reason: error.message },
      'platform task not applied',
    );
    return { ...nothing, failed: 1 };
  }
}

async function applyOneByOne(ctx: UseCaseContext, integrationId: string, tasks: readonly ReadTask[]) {
  const all = { ...nothing };
  for (const task of tasks) {
    const one = await applyReadTasks(ctx, integrationId, [task]);
    for (const name of Object.keys(all) as (keyof ReadCounts)[]) all[name] += one[name];
  }
  return all;
}

/** Behind a savepoint, so that what it wrote before a refusal is undone. */
async function applyTogether(ctx: UseCaseContext, integrationId: string, tasks: readonly ReadTask[]) {
  return ctx.inTransaction(async (tx) => {
    const reads = tasks.map((task, index) => asReceipt(integrationId, task, index));
    const rules = await readInboundRules(tx, [integrationId]);
    const settlements = await applyReceipts(contextInTransaction(ctx, tx), tx, reads, rules);
    const counts = { ...nothing };
    for (const settlement of settlements) counts[effectOf(settlement)] += 1;
    return counts;
  });
}

/** What is only kept with the link makes no difference to a task. */
function effectOf({ status, outcome }: Applied): keyof ReadCounts {
  if (status !== 'applied' || outcome.startsWith('kept ')) return 'unchanged';
  return outcome.startsWith('created ') ? 'created' : 'updated';
}

/** Applied like a receipt; the id tells those of a page apart. */
function asReceipt(integrationRef: string, { externalId, reported }: ReadTask, index: number): Read<'task'> {
  const receivedAt = new Date(reported.datedAt ?? 0);
  const receipt = { id: String(index), source: 'taskplatform', integrationRef, event: 'taskUpdated', externalId };
  return { receipt: { ...receipt, body: '', receivedAt }, kind: 'task', externalId, reported };
}
