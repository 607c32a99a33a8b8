import type { WorkflowDefinition } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';
import type { Tx } from '@eas/db';
import { lockAssignable } from '@eas/tasks';

/** Throws invalid_input for an unknown approver. One that `before` names may be gone: then a person decides. */
export async function assertApprovers(
  tx: Tx,
  { steps }: WorkflowDefinition,
  before?: WorkflowDefinition,
): Promise<void> {
  const named = new Map(before?.steps.map(({ id, approval }) => [id, approval?.agent_id]));
  const violations: Violation[] = [];
  for (const [index, { id, approval }] of steps.entries()) {
    if (approval?.agent_id === undefined || approval.agent_id === named.get(id)) continue;
    if (await lockAssignable(tx, approval.agent_id)) continue;
    violations.push({
      field: `steps.${index}.approval.agent_id`,
      constraint: 'format',
      message: 'must be the id of an existing agent',
    });
  }
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
