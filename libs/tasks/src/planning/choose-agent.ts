import type { PlanningAgent } from '../reading/agent.read-model.ts';
import { isEligible, type Needs } from '../records/tasks/eligibility.ts';

export type Choice = { agentId: string; reason: string };

const ranks = { waiting: 0, online: 1, away: 2, paused: 3 } as const;
const standings = {
  waiting: 'is waiting for work',
  online: 'is online',
  away: 'is offline, like all of them,',
  paused: 'is paused, like all of them,',
} as const;

/**
 * Chooses the agent to plan a task for: first those waiting in a claim, then those online, then any; then the one with
 * the fewest tasks, then the longest idle one. The agent that lost its lease or gave it back comes last. Undefined: no
 * agent is eligible, or the task names no role, so that any agent with a free slot may claim it. Counts the choice, so
 * that a batch spreads.
 */
export function chooseAgent(needs: Needs, agents: readonly PlanningAgent[], lostBy: string | null): Choice | undefined {
  if (needs.role === null) return undefined;
  let [best, able]: [PlanningAgent | undefined, number] = [undefined, 0];
  for (const agent of agents) {
    if (!isEligible(agent, needs)) continue;
    able += 1;
    if (!best || order(agent, best, lostBy) < 0) best = agent;
  }
  if (!best) return undefined;
  const reason = `${able} ${needs.role} agent(s) can do the task; this one ${standings[best.standing]} and has the fewest tasks (${best.assigned})`;
  best.assigned += 1;
  // It gets this task; the next one needs another waiting agent.
  if (best.standing === 'waiting') best.standing = 'online';
  return { agentId: best.id, reason };
}

function order(a: PlanningAgent, b: PlanningAgent, lostBy: string | null): number {
  return (
    Number(a.id === lostBy) - Number(b.id === lostBy) ||
    ranks[a.standing] - ranks[b.standing] ||
    a.assigned - b.assigned ||
    a.idleSince.getTime() - b.idleSince.getTime()
  );
}
