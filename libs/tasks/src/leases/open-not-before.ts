import type { Tx } from '@eas/db';
import type { TaskChange } from '../tasks/task-change.ts';
import { setAlarm } from '../tasks/task-alarm.store.ts';

/** The open task of a change may not be claimed for a while; 0: at once. */
export async function openNotBefore(tx: Tx, { task, at }: TaskChange, waitMs: number): Promise<void> {
  if (waitMs === 0) return;
  task.notBefore = new Date(at.getTime() + waitMs);
  await setAlarm(tx, task.id, task.notBefore);
}

/** How long an agent that gave a task back leaves it to others. */
const restMs = 30_000;

/** The open task of a change goes to others first: the agent that gave it back may not claim it for a while, then comes last. */
export async function leaveToOthers(tx: Tx, { task, at }: TaskChange, agentId: string): Promise<void> {
  task.lostBy = agentId;
  task.restsUntil = new Date(at.getTime() + restMs);
  await setAlarm(tx, task.id, task.restsUntil);
}
