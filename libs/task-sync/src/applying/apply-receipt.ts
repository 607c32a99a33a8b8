import type { UseCaseContext } from '@eas/db';
import { createNewTask } from './create-new-tasks.ts';
import type { Merged } from '../merging/effects.ts';
import { mergeObjectReceipt } from '../merging/merge-object.ts';
import { type EarlierStages, mergePullRequests, needsEarlierStages } from '../merging/merge-pull-request.ts';
import { mergeTask } from '../merging/merge-task.ts';
import { type CreatedTask, isNewTask } from '../merging/new-task.ts';
import { pullRequestText } from '../merging/platform-keys.ts';
import type { PlatformState } from '../merging/platform-state.ts';
import type { PlatformWriter } from './platform-writer.ts';
import type { Read, ReadReceipt } from '../merging/read-receipt.ts';
import { asSender } from './sender-context.ts';
import type { Applied } from '@eas/receiving';
import { type KeptStage, readStages, stageText } from '@eas/source-host';

/** Merges a receipt and writes what it leads to, by its sender. `created`: the task that it has created already. */
export async function applyReceipt(
  ctx: UseCaseContext,
  writer: PlatformWriter,
  read: ReadReceipt,
  created?: CreatedTask,
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
