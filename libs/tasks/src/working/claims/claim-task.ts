import { batched, type BatchItem, type BatchResult, needsOwnTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { lockAgents, type LockedAgent } from '../../records/agents/agent.store.ts';
import { assertActsFor } from '../../records/leases/lease.ts';
import { workKeyOf } from '../../records/tasks/work-key.ts';
import type { Claim, ClaimInput, Poll } from './claim.ts';
import { claimResults } from './claim-result.ts';
import { findProjectsLeft, type PickedTask, pickOfRoles, pickTask, pickTaskOf } from './claim.store.ts';
import { polled, pollWithoutTask } from './poll-without-task.ts';
import { type Given, shareOut } from './share-out.ts';
import { startTasks } from './start-tasks.ts';

/**
 * Returns no claim when there is no task now, or the agent is full. Throws 403, 404, and 409 `state` for one that is
 * paused.
 */
export async function claimTask(ctx: UseCaseContext, input: ClaimInput): Promise<Poll> {
  assertActsFor(ctx.actor, input.agentId);
  return claimTasks(ctx, input);
}

type Claiming = BatchItem<ClaimInput>;

/** An agent claims once in a round. Its other claims get the same result or, if that is a task, another round. */
const claimTasks = batched(
  async (tx, claims: readonly Claiming[], { mayWait }): Promise<BatchResult<Poll>[]> => {
    const polls = new Map<Claiming, BatchResult<Poll>>();
    for (let left = claims; left.length > 0; left = left.filter((claim) => !polls.has(claim))) {
      const firsts = new Map(left.toReversed().map((claim) => [claim.input.agentId, claim]));
      const results = await claimOnce(tx, [...firsts.values()], mayWait);
      for (const claim of left) {
        const result = results.get(claim.input.agentId) ?? needsOwnTransaction;
        const hasTask = result.ok && result.value.claim;
        if (!hasTask || firsts.get(claim.input.agentId) === claim) polls.set(claim, result);
      }
    }
    return claims.map((claim) => polls.get(claim) ?? needsOwnTransaction);
  },
  { canShare: ({ claimKey, projects }) => claimKey === undefined && !projects },
);

/** An agent that may get a task, and its claim. */
type Claimer = LockedAgent & { claim: Claiming };

/** The results of one claim of each agent, by agent. */
async function claimOnce(tx: Tx, claims: readonly Claiming[], mayWait: boolean) {
  const ids = claims.map(({ input }) => input.agentId);
  // Sent after the lock of the agents without waiting for its result: Postgres reads their locked rows.
  const [agents, early] = await Promise.all([lockAgents(tx, ids, { mayWait }), mayWait ? [] : pickEarly(tx, ids)]);
  const polls = new Map<string, BatchResult<Poll>>();
  const free: Claimer[] = [];
  for (const claim of claims) {
    const { agentId } = claim.input;
    const agent = agents.get(agentId);
    const poll = await pollWithoutTask(tx, agent, claim.input, mayWait);
    if (poll) polls.set(agentId, poll);
    else if (agent) free.push({ ...agent, claim });
  }
  const picked = mayWait ? await pickFor(tx, free) : early;
  const given = claims.length > 1 ? await shareOut(tx, picked, free) : giveTo(free, picked);
  for (const task of picked)
    // Other workers skipped the rows that we locked but did not take.
    if (!given.some((one) => one.task === task)) tx.notify('work', workKeyOf(tx.tenantId, task, task.pickedAt));
  const started = await startClaims(tx, given);
  for (const agent of free) polls.set(agent.id, polled({ agent, isFull: false, claim: started.get(agent.id) }));
  return polls;
}

async function pickEarly(tx: Tx, agentIds: readonly string[]): Promise<PickedTask[]> {
  const [only] = agentIds;
  if (only === undefined || agentIds.length > 1) return pickOfRoles(tx, agentIds);
  const task = await pickTask(tx, only);
  return task ? [task] : [];
}

/** The task of an agent with a transaction of its own, of the projects that it asks for and that have budget left. */
async function pickFor(tx: Tx, [agent]: readonly Claimer[]): Promise<PickedTask[]> {
  if (!agent) return [];
  const { projects: wanted } = agent.claim.input;
  const projects = agent.hasExhaustedProjects ? await findProjectsLeft(tx, wanted) : wanted;
  const task = await (projects ? pickTaskOf(tx, agent.id, projects) : pickTask(tx, agent.id));
  return task ? [task] : [];
}

/** An agent that polled alone gets what was picked for it. */
function giveTo([agent]: readonly Claimer[], [task]: readonly PickedTask[]): Given<Claimer>[] {
  return agent && task ? [{ task, agent }] : [];
}

/** Starts the tasks. Returns the claims, by agent. */
async function startClaims(tx: Tx, given: readonly Given<Claimer>[]): Promise<Map<string, Claim>> {
  const starts = given.map(({ task, agent: { id, claim } }) => {
    const { claimKey, leaseSeconds = claim.ctx.leaseSeconds } = claim.input;
    return { task, agentId: id, claimKey, leaseSeconds };
  });
  const started = startTasks(tx, starts);
  const bodies = await claimResults(tx, started);
  return new Map(
    started.map(({ assignedAgent, waitedMs, traceparent }, index) => {
      const body = bodies[index];
      if (!body) throw new Error('a claim has no result');
      return [assignedAgent, { body, isReplayed: false, waitedMs, traceparent }];
    }),
  );
}
