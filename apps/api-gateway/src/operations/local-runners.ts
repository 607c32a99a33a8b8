import { type giverOf, mintAgentKey, recordAudit, revokeApiKey } from '@eas/access';
import { codingAgents, type LocalRunner, type StartLocalRunnerBody, type SupervisorResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { createAgent } from '@eas/tasks';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { removeAgent } from './remove-agent.ts';

type StartInput = { body: StartLocalRunnerBody; giver: ReturnType<typeof giverOf> };

/**
 * Creates an agent with a key of its own, and has the supervisor start a runner for it. If anything fails, both are
 * removed.
 */
export async function startLocalRunner(
  ctx: UseCaseContext,
  supervisor: Supervisor,
  { body, giver }: StartInput,
): Promise<LocalRunner> {
  const { preset, role, concurrency } = body;
  const { state: before } = await supervisor.call({ call: 'check', preset });
  const name = body.name ?? freeName(codingAgents[preset], before.runners);
  const { agentId, key } = await makeAgent(ctx, { name, preset, role, concurrency }, giver);
  const planned = { agent_id: agentId, key_id: key.id, name, preset, role, concurrency };
  try {
    const { state } = await supervisor.call({ call: 'start', runner: planned, api_key: key.key });
    const data = { preset, role, name };
    await ctx.inTransaction((tx) =>
      recordAudit(tx, ctx.actor, { action: 'local_runner.started', target: agentId, data }),
    );
    return runnerIn(state, agentId);
  } catch (error) {
    // It may have started although the response was lost.
    await supervisor.call({ call: 'remove', agent_id: agentId }).catch(() => {});
    await removeAgent(ctx, { agentId });
    throw error;
  }
}

/** The title, or the first of `title 2`, `title 3`, … that no runner has. */
function freeName(title: string, runners: readonly LocalRunner[]): string {
  const taken = new Set(runners.map(({ name }) => name));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? title : `${title} ${count}`;
    if (!taken.has(name)) return name;
  }
}

type NewAgent = Required<StartLocalRunnerBody>;

function makeAgent(ctx: UseCaseContext, { name, preset, role, concurrency }: NewAgent, giver: StartInput['giver']) {
  return ctx.inTransaction(async (tx) => {
    const inner = contextInTransaction(ctx, tx);
    const agent = { name, role, capabilities: [preset], max_concurrent_tasks: concurrency };
    const { id: agentId } = await createAgent(inner, agent);
    const body = {
      name: `${name} on the machine of the service`.slice(0, 200),
      tier: 'standard' as const,
      rate_limit: null,
      expires_at: null,
    };
    return { agentId, key: await mintAgentKey(inner, { agentId, body, giver }) };
  });
}

/** Has a runner that waits for its next try started at once. */
export async function retryLocalRunner(supervisor: Supervisor, agentId: string): Promise<LocalRunner> {
  return runnerIn((await supervisor.call({ call: 'retry', agent_id: agentId })).state, agentId);
}

/** Ends a runner, revokes its key and forgets it, in this order: its tasks are given back with the key. */
export async function stopLocalRunner(ctx: UseCaseContext, supervisor: Supervisor, agentId: string): Promise<void> {
  const { key_id: keyId } = await supervisor.call({ call: 'stop', agent_id: agentId });
  await ctx.inTransaction(async (tx) => {
    if (keyId !== undefined) await revokeIfThere(contextInTransaction(ctx, tx), keyId);
    await recordAudit(tx, ctx.actor, { action: 'local_runner.stopped', target: agentId });
  });
  await supervisor.call({ call: 'remove', agent_id: agentId });
}

async function revokeIfThere(ctx: UseCaseContext, id: string): Promise<void> {
  try {
    await revokeApiKey(ctx, { id, ifMatch: undefined });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}

function runnerIn({ runners }: SupervisorResult['state'], agentId: string): LocalRunner {
  const runner = runners.find((one) => one.agent_id === agentId);
  if (!runner) throw new AppError('not_found', { message: 'No runner of this agent is kept on this machine.' });
  return runner;
}
