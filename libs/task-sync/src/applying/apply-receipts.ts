import { createPauses } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import type { InboundRules } from '@eas/integrations';
import { createNewTask, createNewTasks } from './create-new-tasks.ts';
import type { Merged } from '../merging/effects.ts';
import { mergeObjectReceipt } from '../merging/merge-object.ts';
import { type EarlierStages, mergePullRequests, needsEarlierStages } from '../merging/merge-pull-request.ts';
import { mergeTask } from '../merging/merge-task.ts';
import { type CreatedTask, isNewTask } from '../merging/new-task.ts';
import { pullRequestText } from '../merging/platform-keys.ts';
import type { PlatformState } from '../merging/platform-state.ts';
import { openPlatformWriter, type PlatformWriter } from './platform-writer.ts';
import type { Read, ReadReceipt } from '../merging/read-receipt.ts';
import { asSender } from './sender-context.ts';
import type { Applied, Settlement } from '@eas/receiving';
import { type KeptStage, readStages, stageText } from '@eas/source-host';

/**
 * Locks and reads all that the receipts are about, and applies them in their order, in the transaction `tx` of `ctx`. Returns
 * what became of each.
 */
export async function applyReceipts(
  ctx: UseCaseContext,
  tx: Tx,
  receipts: readonly ReadReceipt[],
  rules: ReadonlyMap<string, InboundRules>,
): Promise<Settlement[]> {
  const pause = createPauses();
  const writer = await openPlatformWriter(tx, receipts, rules);
  const created = await createNewTasks(ctx, writer, receipts);
  const settlements: Settlement[] = [];
  for (const read of receipts) {
    const { id } = read.receipt;
    settlements.push({ id, ...(await applyReceipt(ctx, writer, read, created.get(id))) });
    await pause();
  }
  await writer.save();
  return settlements;
}

/** Merges a receipt and writes what it leads to, by its sender. `created`: the task that it has created already. */
async function applyReceipt(
  ctx: UseCaseContext,
  writer: PlatformWriter,
  read: ReadReceipt,
  created: CreatedTask | undefined,
): Promise<Applied> {
  if (read.kind === 'refused') return { status: read.status, outcome: read.reason };
  const sender = asSender(ctx, read.receipt.integrationRef);
  const { effects, applied } = await merge(sender, writer, read, created);
  return applied(await writer.write(sender, effects));
}

async function merge(
  ctx: UseCaseContext,
  writer: PlatformWriter,
  read: Exclude<ReadReceipt, { kind: 'refused' }>,
  created: CreatedTask | undefined,
): Promise<Merged> {
  const { state } = writer;
  switch (read.kind) {
    case 'object':
      return mergeObjectReceipt(state, read);
    case 'pull request':
      return mergePullRequests(state, read, await earlierStages(ctx, state, read));
    case 'task': {
      const own = created ?? (isNewTask(state, read) ? await createNewTask(ctx, writer, read) : undefined);
      return mergeTask(state, read, own);
    }
  }
}

/** More entries at once say nothing more. */
const maxEarlier = 200;

async function earlierStages(
  ctx: UseCaseContext,
  state: PlatformState,
  read: Read<'pull request'>,
): Promise<EarlierStages> {
  const all = new Map<string, KeptStage[]>();
  for (const key of needsEarlierStages(state, read)) {
    const stages = await readStages(ctx, key, maxEarlier);
    const isNew = (stage: string) => state.newStages.has(stageText({ ...key, stage }));
    all.set(
      pullRequestText(key),
      stages.filter(({ stage }) => !isNew(stage.key)),
    );
  }
  return all;
}
