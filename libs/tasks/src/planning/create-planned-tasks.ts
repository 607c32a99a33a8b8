import type { TaskResource } from '@eas/contracts';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { agentsForPlanning } from '../reading/agent.read-model.ts';
import { needsOfNew, newTaskRow } from '../moves/create-task.ts';
import type { NewTask } from '../moves/new-task.ts';
import { fillFromProject } from '../moves/project-of-task.ts';
import { insertTasks } from '../records/tasks/task.store.ts';
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
  const filled = await Promise.all(inputs.map((one) => fillFromProject(inner, { ...one, assigned_agent: null })));
  const roles = [...new Set(filled.flatMap(({ assigned_role: role }) => role ?? []))];
  const agents = await agentsForPlanning(tx, roles, { withPaused: true });
  const tasks = filled.map((input) => {
    const plan = chooseAgent(needsOfNew(input), agents, null);
    const planned = plan ? { assigned_agent: plan.agentId, plan_reason: plan.reason } : { assigned_agent: null };
    return { ...newTaskRow(inner, { ...input, ...planned }), plan };
  });
  await insertTasks(
    tx.db,
    tasks.map(({ row }) => row),
    tx.notify,
  );
  for (const { row, plan } of tasks)
    if (plan) notifyPlanned(tx, { ...plan, id: row.id, title: row.title, role: row.assignedRole }, row.createdAt);
  return tasks.map(({ resource }) => resource);
}
