import type { Tx } from '@eas/db';
import { lockAssignable } from './agent.store.ts';
import type { Task } from '../tasks/task.ts';
import { mayDo, needsOf } from '../tasks/may-do.ts';

/**
 * Whether a locked task that opens again keeps its agent. What it asks for may have changed since that was chosen, and
 * the agent may be gone. An agent that a person chose stays as long as it is there.
 */
export async function keepsAgent(tx: Tx, task: Task): Promise<boolean> {
  const agent = task.assignedAgent === null ? undefined : await lockAssignable(tx, task.assignedAgent);
  return agent !== undefined && (task.isPinned || mayDo(agent, needsOf(task)));
}
