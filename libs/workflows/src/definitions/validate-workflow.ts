import type { WorkflowDefinitionBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { assertApprovers } from './checks/assert-approvers.ts';
import { assertProjects } from './checks/assert-projects.ts';
import { readNewWorkflow } from './create-workflow.ts';

/** Checks a definition as creating it would, and keeps nothing. Throws invalid_input with the path of each problem. */
export async function validateWorkflow(ctx: UseCaseContext, body: WorkflowDefinitionBody): Promise<void> {
  const definition = await readNewWorkflow(ctx, body);
  await ctx.inTransaction(async (tx) => {
    await assertApprovers(tx, definition);
    await assertProjects(tx, definition);
  });
}
