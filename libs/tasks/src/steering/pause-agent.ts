import type { AgentDetail } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { withdrawPlansOf } from '../moves/withdraw-plans.ts';
import { appendArrived } from '../records/agents/append-arrived.ts';
import { lockAgentAlone, updateAgent } from '../records/agents/agent.store.ts';
import { getAgent } from '../reading/get-agent.ts';

type Shown = { body: AgentDetail; version: number };

/** The agent claims nothing until it is resumed; what it holds and what is planned for it stays. Throws 404. */
export async function pauseAgent(ctx: UseCaseContext, agentId: string): Promise<Shown> {
  await ctx.inTransaction((tx) => setAccepting(tx, { agentId, isAccepting: false, at: ctx.clock.now() }));
  return getAgent(ctx, agentId);
}

/** The agent claims again, and tasks without a planned agent are planned. Throws 404. */
export async function resumeAgent(ctx: UseCaseContext, agentId: string): Promise<Shown> {
  await ctx.inTransaction((tx) => setAccepting(tx, { agentId, isAccepting: true, at: ctx.clock.now() }));
  return getAgent(ctx, agentId);
}

/**
 * The agent finishes its tasks and claims nothing more: tasks that were planned for it are planned again, pinned ones
 * stay. Throws 404.
 */
export async function drainAgent(ctx: UseCaseContext, agentId: string): Promise<Shown> {
  await ctx.inTransaction(async (tx) => {
    const at = ctx.clock.now();
    const withdrawPlans = () => withdrawPlansOf(tx, { agentId, at, actor: ctx.actor.id, keepsPinned: true });
    // Locks tasks before the agent, in the usual order, then those that it got until it was locked.
    await withdrawPlans();
    await setAccepting(tx, { agentId, isAccepting: false, at });
    await withdrawPlans();
  });
  return getAgent(ctx, agentId);
}

async function setAccepting(
  tx: Tx,
  { agentId, isAccepting, at }: { agentId: string; isAccepting: boolean; at: Date },
): Promise<void> {
  const agent = await lockAgentAlone(tx, agentId);
  if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
  if (agent.isAccepting === isAccepting) return;
  await updateAgent(tx, { ...agent, isAccepting }, at);
  if (isAccepting) appendArrived(tx, agent, at);
}
