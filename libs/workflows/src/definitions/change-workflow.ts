import { isDeepStrictEqual } from 'node:util';
import type { ChangeWorkflowBody, WorkflowDefinition, WorkflowDetail } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { mergePatch } from '@eas/tasks';
import { assertApprovers } from './checks/assert-approvers.ts';
import { assertProjects } from './checks/assert-projects.ts';
import { assertUsableSchemas } from './checks/assert-usable-schemas.ts';
import { readDefinition } from './read-definition.ts';
import { findWorkflow } from './workflow.read-model.ts';
import { insertVersion, lockWorkflow } from './workflow.store.ts';
import { noSuchWorkflow, shown } from './workflow.ts';

/**
 * Gives a workflow a further version by a JSON merge patch of its definition, unless that changes nothing. Runs keep
 * the version that they started with. Throws not_found, invalid_input with the path of each problem, 412.
 */
export async function changeWorkflow(
  ctx: UseCaseContext,
  { workflowId, ifMatch, body }: { workflowId: string; ifMatch?: readonly number[]; body: ChangeWorkflowBody },
): Promise<{ body: WorkflowDetail; version: number }> {
  const patched = (definition: WorkflowDefinition) => readDefinition(mergePatch(definition, patchOf(body)));
  const now = await findWorkflow(ctx, workflowId);
  if (!now) throw noSuchWorkflow();
  await assertUsableSchemas(ctx, patched(now.definition));
  return ctx.inTransaction(async (tx) => {
    const before = await lockWorkflow(tx, workflowId);
    if (!before) throw noSuchWorkflow();
    const definition = stored(patched(before.definition));
    await assertUsableSchemas(tx, definition);
    assertVersion(before.version, ifMatch);
    if (isDeepStrictEqual(definition, before.definition)) return shown(before);
    await assertApprovers(tx, definition, before.definition);
    await assertProjects(tx, definition);
    const at = ctx.clock.now();
    const version = await insertVersion(tx, { workflowId, definition, createdAt: at, createdBy: ctx.actor.id });
    return shown({ ...before, definition, version, updatedAt: at });
  });
}

/** The number of steps is only shown. */
function patchOf({ steps, ...patch }: ChangeWorkflowBody): Record<string, unknown> {
  return Array.isArray(steps) ? { ...patch, steps } : patch;
}

/** As read from the database: omitted fields are absent. */
export function stored(definition: WorkflowDefinition): WorkflowDefinition {
  return JSON.parse(JSON.stringify(definition)) as WorkflowDefinition;
}
