import type { WorkflowDefinition, WorkflowDefinitionBody, WorkflowDetail } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { assertApprovers } from './checks/assert-approvers.ts';
import { assertProjects } from './checks/assert-projects.ts';
import { assertUsableSchemas } from './checks/assert-usable-schemas.ts';
import { checkDefinition } from './checks/check-definition.ts';
import { assertBelowWorkflowLimit, insertWorkflow } from './workflow.store.ts';
import { shown } from './workflow.ts';

/** Before a transaction begins: it may wait for a thread. Throws invalid_input with the path of each problem. */
export async function readNewWorkflow(
  ctx: Pick<UseCaseContext, 'tenantId'>,
  body: WorkflowDefinitionBody,
): Promise<WorkflowDefinition> {
  const definition = checkDefinition(body);
  await assertUsableSchemas(ctx, definition);
  return definition;
}

/** Makes a workflow. Throws invalid_input with the path of each problem of its definition. */
export async function createWorkflow(
  ctx: UseCaseContext,
  body: WorkflowDefinitionBody,
): Promise<{ body: WorkflowDetail; version: number }> {
  const definition = await readNewWorkflow(ctx, body);
  const id = newId('workflow', ctx.clock.now().getTime());
  const workflow = { id, definition, createdAt: new Date(idTimeMs(id)), createdBy: ctx.actor.id };
  await ctx.inTransaction(async (tx) => {
    await assertApprovers(tx, definition);
    await assertProjects(tx, definition);
    await assertBelowWorkflowLimit(tx, ctx.limits.workflows);
    await insertWorkflow(tx, { ...workflow, shippedAs: null });
  });
  return shown({ ...workflow, updatedAt: workflow.createdAt, archivedAt: null, version: 1 });
}
