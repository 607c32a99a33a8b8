import type { WorkflowDetail } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { findWorkflow } from './workflow.read-model.ts';
import { noSuchWorkflow, shown } from './workflow.ts';

/** One workflow with the definition that new runs get. Throws not_found. */
export async function getWorkflow(
  ctx: UseCaseContext,
  workflowId: string,
): Promise<{ body: WorkflowDetail; version: number }> {
  const workflow = await findWorkflow(ctx, workflowId);
  if (!workflow) throw noSuchWorkflow();
  return shown(workflow);
}
