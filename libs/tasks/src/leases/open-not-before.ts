import type { Tx } from '@eas/db';
import type { TaskChange } from '../tasks/task-change.ts';
import { setAlarm } from '../tasks/task-alarm.store.ts';

/** The open task of a change may not be claimed for a while; 0: at once. */
export async function openNotBefore(tx: Tx, { task, at }: TaskChange, waitMs: number): Promise<void> {
  if (waitMs === 0) return;
  task.notBefore = new Date(at.getTime() + waitMs);
  await setAlarm(tx, task.id, task.notBefore);
}
