import type { Tx, UseCaseContext } from '@eas/db';
import { alterLocked, lockLeasesOfTasks, noTask } from './alter-task.ts';
import type { TaskChange } from './task-change.ts';
import { type Labelled, labelledOf, relabelTask } from '../records/tasks/task-label.store.ts';
import { lockTasks, updateTasks } from '../records/tasks/task.store.ts';
import { claimRank, type Task } from '../records/tasks/task.ts';
import {
  type AmendedEntry,
  amendTimeline,
  insertTimeline,
  type NewTimelineEntry,
} from '../records/timeline/timeline.store.ts';

type Maker = Pick<UseCaseContext, 'clock' | 'actor'>;

/**
 * Tasks that a transaction changes together: each change sees the previous ones, and few statements write all of them.
 */
export type TasksTogether = {
  /** Locks tasks that will be changed. `ending`: those whose leases a change may end. */
  lock(taskIds: readonly string[], ending?: readonly string[]): Promise<void>;
  /** As alterTask; what `save` writes is not in the database before. Throws 404. */
  alter<T>(
    taskId: string,
    maker: Maker,
    alter: (tx: Tx, change: TaskChange) => Promise<T>,
  ): Promise<{ changed: string[]; result: T }>;
  save(): void;
};

type Held = { task: Task; labelled: Labelled; alteredAt: Date | undefined };

export function tasksTogether(tx: Tx): TasksTogether {
  const held = new Map<string, Held>();
  const entries: NewTimelineEntry[] = [];
  const amended: AmendedEntry[] = [];
  const together: TasksTogether = {
    async lock(taskIds, ending = []) {
      const missing = (ids: readonly string[]) => [...new Set(ids)].filter((id) => !held.has(id));
      if (missing(ending).length > 0) await lockLeasesOfTasks(tx, missing(ending));
      for (const task of await lockTasks(tx, missing(taskIds))) {
        held.set(task.id, { task, labelled: labelledOf(task), alteredAt: undefined });
      }
    },
    async alter(taskId, maker, alter) {
      await together.lock([taskId]);
      const one = held.get(taskId);
      if (!one) throw noTask();
      const { change, isAltered, ...altered } = await alterLocked(tx, one.task, maker, alter);
      if (isAltered) {
        one.alteredAt = change.at;
        entries.push(...change.settle());
        amended.push(...change.amended);
      }
      return altered;
    },
    save() {
      const altered = [...held.values()].flatMap(({ alteredAt, ...one }) => (alteredAt ? [{ ...one, alteredAt }] : []));
      updateTasks(
        tx,
        altered.map(({ task, alteredAt }) => ({ task, rank: claimRank(task, alteredAt) })),
      );
      for (const { task, labelled } of altered) relabelTask(tx, task.id, { before: labelled, now: task });
      insertTimeline(tx, entries.splice(0));
      amendTimeline(tx, amended.splice(0));
      held.clear();
    },
  };
  return together;
}
