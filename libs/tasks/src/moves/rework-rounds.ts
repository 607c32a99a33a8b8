import { defaultReworkRounds } from '@eas/contracts';
import type { Tx } from '@eas/db';
import { findMaxReworkRounds } from '../records/projects/project.store.ts';
import type { Task } from '../records/tasks/task.ts';

/** A person has decided about the work. */
export function startRounds(task: Task): void {
  task.reworkRounds = 0;
  forgetCommit(task);
}

/** The work was decided on as it is: the next step needs no other commit. */
export function forgetCommit(task: Task): void {
  task.sentBackSha = null;
  task.sentBackAfter = null;
}

/** Whether rejected work now goes to a person, because it was sent back as often as its project allows. */
export async function isLeftToPerson(tx: Tx, { projectId, reworkRounds }: Task): Promise<boolean> {
  const ofProject = projectId === null ? undefined : await findMaxReworkRounds(tx, projectId);
  return reworkRounds >= (ofProject ?? defaultReworkRounds);
}
