import { append, type Tx } from '@eas/db';
import { workKey } from '../claims/work-key.ts';
import { taskFacts } from '../tasks/task.ts';
import { insertTimeline } from '../timeline/timeline.store.ts';
import { unassignTasks, type UnassignedTask } from './plan.store.ts';

export type Unplanning = {
  agentId: string;
  at: Date;
  actor: string;
  /** What a person gave to the agent stays its own; unset: that is taken away too. */
  keepsPinned?: boolean;
};

/** Takes away from an agent what is planned for it or pinned to it and held by nobody: it is planned anew. */
export async function unplanTasksOf(tx: Tx, { agentId, at, actor, keepsPinned = false }: Unplanning): Promise<void> {
  const tasks = await unassignTasks(tx, { agentId, at, keepsPinned });
  insertTimeline(
    tx,
    tasks.map(({ id, timelineSeq }) => ({
      taskId: id,
      seq: timelineSeq,
      kind: 'assignment',
      at,
      actor,
      data: { assigned_agent: null, reason: 'to be planned anew' },
    })),
  );
  for (const task of tasks) appendUnplanned(tx, task, at);
  const keys = new Set(tasks.map(({ assignedRole }) => workKey(tx.tenantId, assignedRole)));
  for (const key of keys) tx.notify('work', key);
}

function appendUnplanned(tx: Tx, task: UnassignedTask, at: Date): void {
  const { id, title, status } = task;
  const data = { task_id: id, title, from: status, to: status, changed: ['assigned_agent'] };
  append(tx, { type: 'task.updated', at, data, facts: taskFacts(task) });
}
