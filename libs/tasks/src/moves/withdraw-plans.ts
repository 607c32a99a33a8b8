import { append, type Tx } from '@eas/db';
import { workKeyOf } from '../records/tasks/work-key.ts';
import { isUnclaimed, taskFacts } from '../records/tasks/task.ts';
import { insertTimeline } from '../records/timeline/timeline.store.ts';
import { unassignTasks, type UnassignedTask } from '../records/tasks/plan.store.ts';

export type Withdrawal = {
  agentId: string;
  at: Date;
  actor: string;
  /** Keeps tasks that a person pinned to the agent; unset: these are withdrawn too. */
  keepsPinned?: boolean;
  /** Keeps tasks for which the agent is still eligible; unset: these are withdrawn too. */
  keepsDoable?: boolean;
};

/** Withdraws unclaimed tasks that are planned for an agent or pinned to it: they are planned again. */
export async function withdrawPlansOf(tx: Tx, { actor, ...withdrawal }: Withdrawal): Promise<void> {
  const { at, keepsPinned = false, keepsDoable = false } = withdrawal;
  const tasks = await unassignTasks(tx, { ...withdrawal, keepsPinned, keepsDoable });
  insertTimeline(
    tx,
    tasks.map(({ id, timelineSeq, updatedAt }) => ({
      taskId: id,
      seq: timelineSeq,
      kind: 'assignment',
      at: updatedAt,
      actor,
      data: { assigned_agent: null, reason: 'to be planned again' },
    })),
  );
  for (const task of tasks) appendUnplanned(tx, task, at);
  for (const task of tasks) if (isUnclaimed(task) && !task.isHeld) tx.notify('work', workKeyOf(tx.tenantId, task, at));
}

function appendUnplanned(tx: Tx, task: UnassignedTask, at: Date): void {
  const { id, title, status } = task;
  const data = { task_id: id, title, from: status, to: status, changed: ['assigned_agent'] };
  append(tx, { type: 'task.updated', at, data, facts: taskFacts(task) });
}
