import type { Acceptance, AcceptancePatch } from '@eas/contracts';
import { AppError, type Constraint } from '@eas/core';
import type { DbScope, Tx } from '@eas/db';
import { assertAssignable } from '../agents/assert-assignable.ts';
import type { Task } from '../tasks/task.ts';
import { mergePatch } from './merge-patch.ts';
import { assertResultSchema, assertUsableSchema } from './result-schema.ts';

const maxSchemaBytes = 16 * 1024;

/** Throws invalid_input for acceptance rules that no agent could satisfy, as far as their text shows. */
export function assertAcceptance({ result_schema: schema, review }: Acceptance): void {
  if (review && Object.values(review).filter((reviewer) => reviewer !== undefined).length !== 1)
    throw refused('review', 'required', 'must have exactly one of role, agent_id, person');
  if (!schema) return;
  if (Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes)
    throw refused('result_schema', 'max_size', `must be at most ${maxSchemaBytes} bytes when serialised`);
  assertResultSchema(schema);
}

/**
 * assertAcceptance, and throws invalid_input when the result schema cannot be used. It may wait for a thread, so it
 * is called before a transaction begins; within one, asking again costs nothing.
 */
export async function assertUsableAcceptance(
  { tenantId }: Pick<DbScope, 'tenantId'>,
  acceptance: Acceptance | null | undefined,
): Promise<void> {
  if (!acceptance) return;
  assertAcceptance(acceptance);
  if (acceptance.result_schema) await assertUsableSchema(tenantId, acceptance.result_schema);
}

/** Throws invalid_input if the named reviewer does not exist. */
export async function assertReviewer(tx: Tx, acceptance: Acceptance | null): Promise<void> {
  const reviewer = reviewerOf(acceptance);
  if (reviewer !== null) await assertAssignable(tx, reviewer, 'contract.review.agent_id');
}

/** Throws invalid_input when the task is assigned to its reviewer, who is not eligible. */
export function assertMayDo(agentId: string | null, notFor: string | null): void {
  if (agentId === null || agentId !== notFor) return;
  const message = 'assigned_agent must not be the reviewer of the task.';
  throw new AppError('invalid_input', { field: 'assigned_agent', constraint: 'exists', message });
}

/** Throws 409 `state` for a review that agents of any role could do: who decides is always named. */
export function assertNamesReviewer(task: Pick<Task, 'reviewOf' | 'assignedRole' | 'isPinned'>): void {
  if (task.reviewOf === null || task.assignedRole !== null || task.isPinned) return;
  const message =
    'A review needs assigned_role or assigned_agent. A person approves or rejects the reviewed task instead.';
  throw new AppError('conflict', { field: 'assigned_agent', constraint: 'state', message });
}

/** The named reviewer, who is not eligible for the work. */
export function reviewerOf(acceptance: Acceptance | null): string | null {
  return acceptance?.review?.agent_id ?? null;
}

/** Acceptance rules after a merge patch; null is none. Throws as assertAcceptance does. */
export function patchAcceptance(own: Acceptance | null, patch: AcceptancePatch | null): Acceptance | null {
  if (patch === null) return null;
  const merged: Acceptance = mergePatch(own ?? {}, patch);
  assertAcceptance(merged);
  return merged;
}

function refused(part: string, constraint: Constraint, message: string): AppError {
  return new AppError('invalid_input', { violations: [{ field: `contract.${part}`, constraint, message }] });
}
