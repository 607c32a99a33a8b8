import { newId } from '@eas/core';
import type { Outcome, Tx } from '@eas/db';
import { assertMayClaim } from '../agents/agent-state.ts';
import { lockFreeAgents, type LockedAgent } from '../agents/agent.store.ts';
import { workKey } from './work-key.ts';
import type { Look } from './claim.ts';
import { claimResults } from './claim-result.ts';
import { pickOfRole, type PickedTask, pickTask, type RolePick, type Start, startTasks } from './claim.store.ts';
import { tellStarted } from './tell-started.ts';

type Claiming = { agentId: string; leaseSeconds: number };

/**
 * Claims for several agents of one tenant. Undefined for one whose row somebody else has locked, that is not there, or
 * that claims twice at once: it claims by itself.
 */
export async function claimTogether(tx: Tx, claims: readonly Claiming[]): Promise<Outcome<Look | undefined>[]> {
  const agents = await lockFreeAgents(tx, [...new Set(claims.map(({ agentId }) => agentId))]);
  const outcomes: Outcome<Look | undefined>[] = [];
  const looking: { index: number; agent: LockedAgent }[] = [];
  claims.forEach(({ agentId }, index) => {
    const agent = agents.get(agentId);
    agents.delete(agentId);
    const refusal = agent && refusalOf(agent);
    outcomes.push(refusal ?? { ok: true, value: agent && { agent, claim: undefined } });
    if (agent && !refusal) looking.push({ index, agent });
  });
  const starts = await pickFor(
    tx,
    looking.map(({ agent }) => agent),
  );
  const leaseSeconds = claims[0]?.leaseSeconds ?? 0;
  const started = starts.length === 0 ? [] : await startTasks(tx, starts, leaseSeconds);
  for (const task of started) tellStarted(tx, task);
  for (const body of await claimResults(tx, started)) {
    const found = looking.find(({ agent }) => agent.id === body.task.assigned_agent);
    if (!found) throw new Error('a task was started for an agent that did not claim');
    outcomes[found.index] = { ok: true, value: { agent: found.agent, claim: { body, isReplayed: false } } };
  }
  return outcomes;
}

function refusalOf(agent: LockedAgent): { ok: false; error: unknown } | undefined {
  try {
    assertMayClaim(agent);
    return undefined;
  } catch (error) {
    return { ok: false, error };
  }
}

/** One task for each agent, as long as there are some. */
async function pickFor(tx: Tx, agents: readonly LockedAgent[]): Promise<Start[]> {
  const starts: Start[] = [];
  const start = (task: PickedTask, agent: LockedAgent) =>
    starts.push({ task, agentId: agent.id, leaseId: newId('lease'), claimKey: null });
  const left: LockedAgent[] = [];
  for (const [role, ofRole] of Map.groupBy(agents, (agent) => agent.role)) {
    const agentIds = ofRole.map(({ id }) => id);
    // For one agent alone its own look is the shorter way.
    const tasks = ofRole.length > 1 ? await pickOfRole(tx, { role, agentIds, limit: ofRole.length }) : [];
    const unserved = matchTasks(tasks, ofRole, start);
    // Others have passed over what was locked for nothing.
    if (tasks.length > ofRole.length - unserved.length) tx.notify('work', workKey(tx.tenantId, role));
    left.push(...unserved);
  }
  for (const agent of left) {
    const task = await pickTask(
      tx,
      agent,
      starts.map((one) => one.task.id),
    );
    if (task) start(task, agent);
  }
  return starts;
}

/** Gives each task, in the order of claims, to the first agent that may do it. Returns the agents that got none. */
export function matchTasks<A extends Pick<LockedAgent, 'id' | 'capabilities'>>(
  tasks: readonly RolePick[],
  agents: readonly A[],
  give: (task: RolePick, agent: A) => void,
): A[] {
  const unserved = [...agents];
  for (const task of tasks) {
    const place = unserved.findIndex((agent) => mayDo(agent, task));
    if (place === -1) continue;
    const [agent] = unserved.splice(place, 1);
    if (agent) give(task, agent);
  }
  return unserved;
}

/** What an agent lost itself it gets only when nothing else is there. */
function mayDo(
  { id, capabilities }: Pick<LockedAgent, 'id' | 'capabilities'>,
  { pinnedTo, notFor, lostBy, requiredCapabilities }: RolePick,
): boolean {
  if (notFor === id || lostBy === id) return false;
  return (pinnedTo ?? id) === id && requiredCapabilities.every((one) => capabilities.includes(one));
}
