import type { Tx } from '@eas/db';
import { lockAssignable } from './agent.store.ts';
import type { Task } from '../tasks/task.ts';
import { isEligible, needsOf } from '../tasks/eligibility.ts';

/** The task's needs may have changed, and the agent may be gone. One that a person chose stays while it is there. */
export async function keepsAgent(tx: Tx, task: Task): Promise<boolean> {
  const agent = task.assignedAgent === null ? undefined : await lockAssignable(tx, task.assignedAgent);
  return agent !== undefined && (task.isPinned || isEligible(agent, needsOf(task)));
}
