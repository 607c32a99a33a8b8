import type { RegisterRunnerBody, RunnerResource } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { assertAssignable } from '../../records/agents/assert-assignable.ts';
import { assertActsFor } from '../../records/leases/lease.ts';
import { assertRunnerCapacity, isRegistered, saveRunner } from '../../records/runners/runner.store.ts';
import { toRunnerResource } from '../../records/runners/runner.ts';

/**
 * Registers a process that works for an agent, or renews it: once for each instance. Throws 403 for another agent's key,
 * invalid_input for an unknown agent, conflict `limit` when the tenant has too many that are online.
 */
export async function registerRunner(
  ctx: UseCaseContext,
  body: RegisterRunnerBody,
): Promise<{ body: RunnerResource; isNew: boolean }> {
  const { agent_id: agentId, preset_title: presetTitle, agent_version: agentVersion, ...same } = body;
  assertActsFor(ctx.actor, agentId);
  const runner = { ...same, id: newId('runner'), agentId, presetTitle, agentVersion };
  const saved = await ctx.inTransaction(async (tx) => {
    await assertAssignable(tx, agentId, 'agent_id');
    if (!(await isRegistered(tx, runner))) await assertRunnerCapacity(tx, ctx.limits.runners);
    return saveRunner(tx, runner);
  });
  return { body: toRunnerResource(saved), isNew: saved.id === runner.id };
}
