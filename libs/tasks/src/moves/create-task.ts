import type { TaskResource } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import { contextInTransaction, eventRow, type UseCaseContext } from '@eas/db';
import { assertAssignable } from '../records/agents/assert-assignable.ts';
import { type Needs, needsOf } from '../records/tasks/eligibility.ts';
import { assertMayDo, assertReviewer, assertUsableAcceptance, reviewerOf } from '../records/acceptance/acceptance.ts';
import { toResource } from '../records/tasks/task-resource.ts';
import { claimRank, taskFacts } from '../records/tasks/task.ts';
import { insertTasks, newTask, type NewTaskRow } from '../records/tasks/task.store.ts';
import type { FilledTask, NewTask } from './new-task.ts';
import { fillFromProject } from './project-of-task.ts';

/**
 * Row, first timeline entry and task.created commit together. Throws invalid_input for an unknown agent or project,
 * conflict `state` for an archived project.
 */
export async function createTask(ctx: UseCaseContext, input: NewTask): Promise<TaskResource> {
  await assertUsableAcceptance(ctx, input.contract);
  const filled = await fillFromProject(ctx, input);
  const { assigned_agent: agentId, contract: acceptance = null } = filled;
  assertMayDo(agentId, notForOf(filled));
  if (agentId === null && reviewerOf(acceptance) === null) return writeNewTask(ctx, filled);
  return ctx.inTransaction(async (tx) => {
    if (agentId !== null) await assertAssignable(tx, agentId);
    await assertReviewer(tx, acceptance);
    return writeNewTask(contextInTransaction(ctx, tx), filled);
  });
}

/** Writes a checked task. Those of one moment are one statement. */
export async function writeNewTask(ctx: UseCaseContext, input: FilledTask): Promise<TaskResource> {
  const { row, resource } = newTaskRow(ctx, input);
  await ctx.gather(insertTasks, row, sizeOf(row));
  return resource;
}

/** Size of a row in a statement: its event repeats its long fields. */
const sizeOf = ({ description, metadata }: NewTaskRow) =>
  1_024 + 2 * (Buffer.byteLength(description) + Buffer.byteLength(JSON.stringify(metadata)));

/** The requirements of a task that is not created yet and has no agent. */
export function needsOfNew(input: FilledTask): Needs {
  const { assigned_role: assignedRole, metadata } = input;
  return needsOf({ assignedRole, assignedAgent: null, isPinned: false, notFor: notForOf(input), metadata });
}

function notForOf({ not_for: notFor, contract }: Pick<FilledTask, 'not_for' | 'contract'>): string | null {
  return notFor ?? reviewerOf(contract ?? null);
}

function newTaskRow(ctx: UseCaseContext, input: FilledTask): { row: NewTaskRow; resource: TaskResource } {
  const id = newId('task', ctx.clock.now().getTime());
  // Lists by created_at are read in the order of ids: both have the same time.
  const createdAt = new Date(idTimeMs(id));
  const task = {
    id,
    title: input.title,
    description: input.description,
    status: 'created' as const,
    priority: input.priority,
    dueDate: input.due_date,
    assignedRole: input.assigned_role,
    assignedAgent: input.assigned_agent,
    tags: input.tags,
    metadata: input.metadata,
    projectId: input.project,
    createdAt,
    version: 1,
    isHeld: input.is_held ?? false,
    acceptance: input.contract ?? null,
    reviewOf: input.review_of ?? null,
    notFor: notForOf(input),
    workflowRunId: input.workflow_run_id ?? null,
    firstClaimedAt: null,
    completedAt: null,
    codeQuality: null,
    requirementsClarity: null,
    completedBy: null,
    sentBack: 0,
    reopenedAt: null,
  };
  const resource = toResource(task);
  const data = { task_id: id, ...resource };
  const row: NewTaskRow = {
    ...newTask(task),
    rank: claimRank(task, createdAt),
    planReason: input.plan_reason ?? null,
    actor: ctx.actor.id,
    ...eventRow(ctx.tenantId, { type: 'task.created', at: createdAt, data, facts: taskFacts(task) }),
  };
  return { row, resource };
}
