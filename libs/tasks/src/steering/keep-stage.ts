import type { TimelineItem } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import type { TaskChange } from '../moves/task-change.ts';
import { insertLinkedArtifact, maxArtifacts } from '../records/tasks/artifact.store.ts';
import { isFinal } from '../records/tasks/task.ts';
import { endTask } from './move-task.ts';

type StageEntry = Extract<TimelineItem, { type: 'pull_request' }>;

/** Something that happened to a pull request that is linked to a task. */
export type PullRequestStage = Omit<StageEntry, 'id' | 'seq' | 'timestamp' | 'actor' | 'type' | 'reason'> & {
  /** The pull request itself, which the task gets as an artifact, once. */
  artifactUrl: string;
  /** Completes the task, unless that has ended. The task is locked as `ending`. */
  completesTask?: boolean;
};

/** Adds the entry and the artifact, and completes the task where the stage does so. */
export async function keepStage(
  tx: Tx,
  change: TaskChange,
  { artifactUrl, completesTask = false, ...stage }: PullRequestStage,
): Promise<void> {
  const { task, at } = change;
  const artifact = { id: newId('artifact'), taskId: task.id, kind: 'pull_request', createdAt: at } as const;
  const named = { title: stage.title, url: artifactUrl };
  if (await insertLinkedArtifact(tx, { ...artifact, ...named }, maxArtifacts))
    change.addEntry('artifact', { artifact_id: artifact.id, kind: artifact.kind, ...named });
  const isTooLate = completesTask && isFinal(task.status);
  change.addEntry('pull_request', { ...stage, ...(isTooLate ? { reason: `the task is ${task.status} already` } : {}) });
  if (completesTask && !isTooLate) await endTask(tx, change, 'completed');
}
