import type { Tx } from '@eas/db';
import type { LockedAgent } from '../../records/agents/agent.store.ts';
import { type Assignee, isEligible, needsOf } from '../../records/tasks/eligibility.ts';
import type { Task } from '../../records/tasks/task.ts';
import { type PickedTask, pickTask } from './claim.store.ts';

/** A task, and the agent that gets it. */
export type Given<A> = { task: PickedTask; agent: A };

/**
 * Assigns one task to each agent while there are any. An agent that gets none of the picked tasks polls by itself, but
 * skips the tasks of its role if all remaining ones are picked.
 */
export async function shareOut<A extends LockedAgent>(
  tx: Tx,
  picked: readonly PickedTask[],
  agents: readonly A[],
): Promise<Given<A>[]> {
  const given: Given<A>[] = [];
  const unserved = matchTasks(picked, agents, (task, agent) => given.push({ task, agent }));
  for (const agent of unserved) {
    const { id, role } = agent;
    const pollCount = agents.filter((other) => other.role === role).length;
    const isLeftOfRole = picked.filter((task) => task.assignedRole === role).length >= pollCount;
    const taken = given.map(({ task }) => task.id);
    const task = await pickTask(tx, id, { taken, isLeftOfRole });
    if (task) given.push({ task, agent });
  }
  return given;
}

type Offered = Pick<Task, 'assignedRole' | 'assignedAgent' | 'isPinned' | 'notFor' | 'lostBy' | 'metadata'>;

/**
 * Assigns each task, in the order of claims, to the first eligible agent. Returns the agents that got none. A task that
 * an agent itself lost is only assigned if there is no other: when it polls by itself.
 */
export function matchTasks<T extends Offered, A extends Assignee>(
  tasks: readonly T[],
  agents: readonly A[],
  give: (task: T, agent: A) => void,
): A[] {
  const unserved = [...agents];
  for (const task of tasks) {
    const needs = needsOf(task);
    const position = unserved.findIndex((agent) => agent.id !== task.lostBy && isEligible(agent, needs));
    if (position === -1) continue;
    const [agent] = unserved.splice(position, 1);
    if (agent) give(task, agent);
  }
  return unserved;
}
