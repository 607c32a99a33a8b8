import type { WorkflowDefinition } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';
import type { Tx } from '@eas/db';
import { lockAssignable } from '@eas/tasks';

/** Throws invalid_input unless the agents that are to approve are there. */
export async function assertApprovers(tx: Tx, { steps }: WorkflowDefinition): Promise<void> {
  const violations: Violation[] = [];
  for (const [index, { approval }] of steps.entries()) {
    if (approval?.agent_id === undefined || (await lockAssignable(tx, approval.agent_id))) continue;
    violations.push({ field: `steps.${index}.approval.agent_id`, constraint: 'format', message: 'it names no agent' });
  }
  const [first] = violations;
  if (first) throw new AppError('invalid_input', { message: `${first.field}: ${first.message}.`, violations });
}
