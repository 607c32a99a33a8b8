import { isDeepStrictEqual } from 'node:util';
import type { Acceptance, Actor, ChangeTaskBody, TaskDetail } from '@eas/contracts';
import { assertPerson } from '../records/acceptance/assert-person.ts';
import { AppError } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { assertAssignable } from '../records/agents/assert-assignable.ts';
import {
  assertMayDo,
  assertNamesReviewer,
  assertReviewer,
  assertUsableAcceptance,
  patchAcceptance,
  reviewerOf,
} from '../records/acceptance/acceptance.ts';
import { findAcceptance } from '../records/acceptance/acceptance.read-model.ts';
import { getTask } from '../reading/get-task.ts';
import { isUnclaimed, type Task } from '../records/tasks/task.ts';
import { type Alteration, alterTask } from '../moves/alter-task.ts';
import { changedProject } from '../moves/project-of-task.ts';
import { mergePatch } from '../records/acceptance/merge-patch.ts';
import { moveByHand } from './move-task.ts';
import { setFields, type TaskFields } from '../records/tasks/task-fields.ts';

/**
 * Changes a task as a person asks and gives it as getTask does. Throws 409 `state` for a status that a person cannot
 * set, for another role or agent while an agent holds the task, and for an archived project; invalid_input for an
 * unknown agent or project.
 */
export async function changeTask(
  ctx: UseCaseContext,
  { taskId, ifMatch, body }: Omit<Alteration, 'endsLease'> & { body: ChangeTaskBody },
): Promise<{ body: TaskDetail; version: number }> {
  const endsLease = body.status === 'completed';
  if (body.contract?.result_schema)
    await assertUsableAcceptance(ctx, patchAcceptance(await findAcceptance(ctx, taskId), body.contract));
  await alterTask(ctx, { taskId, ifMatch, endsLease }, async (tx, change) => {
    if (body.status === 'completed') assertMayComplete(ctx.actor, change.task);
    if (body.status !== undefined) await moveByHand(tx, change, body.status);
    const fields = fieldsOf(body, change.task);
    const projectId = await changedProject(tx, change.task, { project: body.project, metadata: fields.metadata });
    await edit(tx, change.task, { ...fields, projectId });
  });
  return getTask(ctx, taskId);
}

/** What is to be reviewed is completed by a review, or by a person. */
function assertMayComplete(actor: Actor, { acceptance, status }: Task): void {
  if (status !== 'in_review' && !acceptance?.review) return;
  assertPerson(actor, 'complete a task that is to be reviewed', 'A review or a person does that.');
}

async function edit(tx: Tx, task: Task, fields: TaskFields): Promise<void> {
  const { assignedAgent = task.assignedAgent, assignedRole = task.assignedRole } = fields;
  const isOtherAgent = assignedAgent !== task.assignedAgent;
  if (task.leaseId !== null && isOtherAgent) throw heldByAgent('assigned_agent');
  if (task.leaseId !== null && assignedRole !== task.assignedRole) throw heldByAgent('assigned_role');
  if (isOtherAgent && assignedAgent !== null) await assertAssignable(tx, assignedAgent);
  if (fields.acceptance !== undefined) await editAcceptance(tx, task, fields.acceptance);
  setFields(task, fields);
  assertNamesReviewer(task);
  if (task.isPinned) assertMayDo(task.assignedAgent, task.notFor);
  // A plan for the agent that is to review it is none.
  else if (isUnclaimed(task) && task.assignedAgent === task.notFor) task.assignedAgent = null;
}

async function editAcceptance(tx: Tx, task: Task, acceptance: Acceptance | null): Promise<void> {
  if (isDeepStrictEqual(acceptance, task.acceptance)) return;
  if (task.leaseId !== null) throw heldByAgent('contract');
  if (task.reviewOf !== null) throw keptByReview();
  await assertUsableAcceptance(tx, acceptance);
  // An agent that was removed since stays named: then a person decides.
  if (reviewerOf(acceptance) !== reviewerOf(task.acceptance)) await assertReviewer(tx, acceptance);
  task.notFor = reviewerOf(acceptance);
}

function keptByReview(): AppError {
  const message = 'contract cannot change on a review task.';
  return new AppError('conflict', { field: 'contract', constraint: 'state', message });
}

/** null gives a field what a task has that was created without it. */
function fieldsOf({ metadata, contract, priority, tags, ...body }: ChangeTaskBody, task: Task): TaskFields {
  return {
    title: body.title,
    description: body.description,
    priority: priority === null ? 'medium' : priority,
    dueDate: body.due_date,
    tags: tags === null ? [] : tags,
    assignedRole: body.assigned_role,
    assignedAgent: body.assigned_agent,
    metadata: metadata === undefined ? undefined : mergedMetadata(task.metadata, metadata),
    acceptance: contract === undefined ? undefined : patchAcceptance(task.acceptance, contract),
  };
}

const maxMetadataBytes = 64 * 1024;

function mergedMetadata(own: Task['metadata'], patch: Record<string, unknown> | null): Task['metadata'] {
  const merged = patch === null ? {} : mergePatch(own, patch);
  if (Buffer.byteLength(JSON.stringify(merged)) <= maxMetadataBytes) return merged;
  throw new AppError('invalid_input', {
    field: 'metadata',
    constraint: 'max_size',
    message: `metadata must be at most ${maxMetadataBytes} bytes when serialised, including the existing metadata of the task.`,
  });
}

function heldByAgent(field: string): AppError {
  const message = `${field} cannot change while an agent holds the task. Complete or cancel the task, or wait for the lease to end.`;
  return new AppError('conflict', { field, constraint: 'state', message });
}
