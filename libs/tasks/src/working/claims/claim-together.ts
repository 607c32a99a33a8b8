import type { BatchResult, Tx } from '@eas/db';
import { assertAccepts, hasSlot } from '../../records/agents/agent-state.ts';
import { lockFreeAgents, type LockedAgent } from '../../records/agents/agent.store.ts';
import { type Assignee, isEligible, needsOf } from '../../records/tasks/eligibility.ts';
import type { Task } from '../../records/tasks/task.ts';
import { workKeyOf } from '../../records/tasks/work-key.ts';
import type { Poll, SharedPoll } from './claim.ts';
import { claimResults } from './claim-result.ts';
import { type PickedTask, pickOfRoles, pickTask } from './claim.store.ts';
import { startTasks } from './start-tasks.ts';

type Claiming = { agentId: string; leaseSeconds: number };

/**
 * Claims for several agents of one tenant, once for each agent. Its other concurrent claims get the same result, unless
 * that is a task: then they poll again.
 */
export async function claimTogether(tx: Tx, claims: readonly Claiming[]): Promise<BatchResult<SharedPoll>[]> {
  const firsts = new Map(claims.toReversed().map(({ agentId, leaseSeconds }) => [agentId, leaseSeconds]));
  const polls = await pollForEach(tx, firsts);
  return claims.map(({ agentId }): BatchResult<SharedPoll> => {
    const result = polls.get(agentId);
    if (firsts.delete(agentId)) return result ?? { ok: true, value: 'alone' };
    const isTaskFound = result?.ok && result.value.claim;
    return result && !isTaskFound ? result : { ok: true, value: 'again' };
  });
}

/**
 * The result of one claim of each agent, for a lease of `leaseSeconds`; none for an agent whose row could not be locked
 * or that is limited to some projects.
 */
async function pollForEach(tx: Tx, leaseSecondsOf: ReadonlyMap<string, number>) {
  const ids = [...leaseSecondsOf.keys()];
  const [agents, picked] = await Promise.all([lockFreeAgents(tx, ids), pickFor(tx, ids)]);
  const polls = new Map<string, BatchResult<Poll>>();
  const free: LockedAgent[] = [];
  for (const agent of agents.values()) {
    if (agent.hasExhaustedProjects) continue;
    const refusal = refusalOf(agent);
    const isFull = !hasSlot(agent);
    polls.set(agent.id, refusal ?? { ok: true, value: { agent, isFull, claim: undefined } });
    if (!refusal && !isFull) free.push(agent);
  }
  const given = ids.length > 1 ? await shareOut(tx, picked, free) : giveTo(free, picked);
  for (const task of picked)
    // Other workers skipped the rows that we locked but did not take.
    if (!given.some((one) => one.task === task)) tx.notify('work', workKeyOf(tx.tenantId, task, task.pickedAt));
  const starts = given.map((one) => ({ ...one, leaseSeconds: leaseSecondsOf.get(one.agentId) ?? 0 }));
  const started = startTasks(tx, starts);
  const bodies = await claimResults(tx, started);
  for (const [index, body] of bodies.entries()) {
    const { waitedMs, traceparent } = started[index] ?? {};
    const agent = free.find(({ id }) => id === body.task.assigned_agent);
    if (!agent) throw new Error('a task was started for an agent that did not claim');
    polls.set(agent.id, {
      ok: true,
      value: { agent, isFull: false, claim: { body, isReplayed: false, waitedMs, traceparent } },
    });
  }
  return polls;
}

/** Sent after the lock of the agents without waiting for its result: Postgres reads their locked rows. */
async function pickFor(tx: Tx, agentIds: readonly string[]): Promise<PickedTask[]> {
  const [only] = agentIds;
  if (only === undefined || agentIds.length > 1) return pickOfRoles(tx, agentIds);
  const task = await pickTask(tx, only);
  return task ? [task] : [];
}

function refusalOf(agent: LockedAgent): { ok: false; error: unknown } | undefined {
  try {
    assertAccepts(agent);
    return undefined;
  } catch (error) {
    return { ok: false, error };
  }
}

type Given = { task: PickedTask; agentId: string };

/** An agent that polled alone gets what was picked for it. */
function giveTo([agent]: readonly LockedAgent[], [task]: readonly PickedTask[]): Given[] {
  return agent && task ? [{ task, agentId: agent.id }] : [];
}

/**
 * Assigns one task to each agent while there are any. An agent that gets none of the picked tasks polls by itself, but
 * skips the tasks of its role if all remaining ones are picked.
 */
async function shareOut(tx: Tx, picked: readonly PickedTask[], agents: readonly LockedAgent[]): Promise<Given[]> {
  const starts: Given[] = [];
  const unserved = matchTasks(picked, agents, (task, { id }) => starts.push({ task, agentId: id }));
  for (const { id, role } of unserved) {
    const pollCount = agents.filter((agent) => agent.role === role).length;
    const isLeftOfRole = picked.filter((task) => task.assignedRole === role).length >= pollCount;
    const taken = starts.map(({ task }) => task.id);
    const task = await pickTask(tx, id, { taken, isLeftOfRole });
    if (task) starts.push({ task, agentId: id });
  }
  return starts;
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
