import type { TaskResource } from '@eas/contracts';
import { idTimeMs } from '@eas/core';
import { contextInTransaction, eachInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { agentsForPlanning } from '../reading/agent.read-model.ts';
import { needsOfNew, writeNewTask } from '../moves/create-task.ts';
import type { NewTask } from '../moves/new-task.ts';
import { fillFromProject } from '../moves/project-of-task.ts';
import { chooseAgent } from './choose-agent.ts';
import { notifyPlanned } from './notify-planned.ts';

/**
 * Creates tasks in the transaction `tx`, each planned at once for an agent of its role: few statements, however many
 * there are. Null as `assigned_agent` only where the role has no agent that is able. Contracts are taken as checked.
 */
export async function createPlannedTasks(
  ctx: UseCaseContext,
  tx: Tx,
  inputs: readonly Omit<NewTask, 'assigned_agent' | 'plan_reason'>[],
): Promise<TaskResource[]> {
  if (inputs.length === 0) return [];
  const inner = contextInTransaction(ctx, tx);
  const filled = await eachInTransaction(inner, tx, inputs, (together, one) =>
    fillFromProject(together, { ...one, assigned_agent: null }),
  );
  const roles = [...new Set(filled.flatMap(({ assigned_role: role }) => role ?? []))];
  const agents = await agentsForPlanning(tx, roles, { withPaused: true });
  return eachInTransaction(inner, tx, filled, async (together, input) => {
    const plan = chooseAgent(needsOfNew(input), agents, null);
    if (!plan) return writeNewTask(together, input);
    const task = await writeNewTask(together, { ...input, assigned_agent: plan.agentId, plan_reason: plan.reason });
    const { id, title, assigned_role: role } = task;
    notifyPlanned(tx, { ...plan, id, title, role }, new Date(idTimeMs(id)));
    return task;
  });
}
