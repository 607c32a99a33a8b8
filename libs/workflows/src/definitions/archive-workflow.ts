import type { WorkflowDetail } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { assertBelowWorkflowLimit, lockWorkflow, updateArchived } from './workflow.store.ts';
import { noSuchWorkflow, shown } from './workflow.ts';

type Shown = { body: WorkflowDetail; version: number };

/** No run of it can start any more, and lists omit it; its runs continue. Its version stays the same. Throws 404. */
export const archiveWorkflow = (ctx: UseCaseContext, workflowId: string): Promise<Shown> =>
  setArchived(ctx, { workflowId, isArchived: true });

/** Runs of it can start again. Throws 404, and conflict `limit` when the tenant has the maximum number of others. */
export const unarchiveWorkflow = (ctx: UseCaseContext, workflowId: string): Promise<Shown> =>
  setArchived(ctx, { workflowId, isArchived: false });

function setArchived(
  ctx: UseCaseContext,
  { workflowId, isArchived }: { workflowId: string; isArchived: boolean },
): Promise<Shown> {
  return ctx.inTransaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workflowId);
    if (!workflow) throw noSuchWorkflow();
    if ((workflow.archivedAt !== null) === isArchived) return shown(workflow);
    if (!isArchived) await assertBelowWorkflowLimit(tx, ctx.limits.workflows);
    const archivedAt = isArchived ? ctx.clock.now() : null;
    await updateArchived(tx, { id: workflowId, archivedAt });
    return shown({ ...workflow, archivedAt });
  });
}
