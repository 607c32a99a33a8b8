import type { PlanningAgent } from '../agents/agent.read-model.ts';
import type { PlannableTask } from './plan.store.ts';

/** Who is meant to do a task, and why. */
export type Plan<T = PlannableTask> = { task: T; agentId: string; reason: string };

type Wanted = Pick<PlannableTask, 'role' | 'requiredCapabilities' | 'notFor' | 'lostBy'>;

const places = { waiting: 0, online: 1, away: 2, paused: 3 } as const;
const told = {
  waiting: 'waits in a claim',
  online: 'is online',
  away: 'is away as they all are',
  paused: 'takes no tasks now, as none of them does,',
} as const;

/**
 * Chooses who is meant to do a task: first those waiting in a claim, then those online, then any; then who has the
 * fewest tasks, then who is idle longest. Who lost its lease comes last. Undefined: nobody is able to. Counts the
 * choice, so that a batch spreads.
 */
export function chooseAgent<T extends Wanted>(task: T, agents: readonly PlanningAgent[]): Plan<T> | undefined {
  let [best, able]: [PlanningAgent | undefined, number] = [undefined, 0];
  for (const agent of agents) {
    if (!isAble(agent, task)) continue;
    able += 1;
    if (!best || order(agent, best, task) < 0) best = agent;
  }
  if (!best) return undefined;
  const reason = `${able} ${task.role} agent(s) may do it; this one ${told[best.standing]} and has the fewest tasks (${best.assigned})`;
  best.assigned += 1;
  // It gets this task; the next one needs somebody else who waits.
  if (best.standing === 'waiting') best.standing = 'online';
  return { task, agentId: best.id, reason };
}

function isAble(agent: PlanningAgent, { role, requiredCapabilities, notFor }: Wanted): boolean {
  if (agent.role !== role || agent.id === notFor) return false;
  return requiredCapabilities.every((one) => agent.capabilities.includes(one));
}

function order(a: PlanningAgent, b: PlanningAgent, { lostBy }: Wanted): number {
  return (
    Number(a.id === lostBy) - Number(b.id === lostBy) ||
    places[a.standing] - places[b.standing] ||
    a.assigned - b.assigned ||
    a.idleSince.getTime() - b.idleSince.getTime()
  );
}
