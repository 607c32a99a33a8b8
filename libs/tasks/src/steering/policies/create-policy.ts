import type { CreatePolicyBody } from '@eas/contracts';
import { AppError, idTimeMs, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type ShownPolicy, shownPolicy } from '../../records/permissions/policy.ts';
import { insertPolicy } from '../../records/permissions/policy.store.ts';
import { findUnknownProjects } from '../../records/projects/project.store.ts';

/**
 * Makes a policy. Throws invalid_input for an unknown project, conflict `exists` where its project and role have one
 * already, conflict `limit` when the tenant has too many.
 */
export async function createPolicy(ctx: UseCaseContext, body: CreatePolicyBody): Promise<ShownPolicy> {
  const { project_id: projectId, role, rules } = body;
  const id = newId('policy', ctx.clock.now().getTime());
  const createdAt = new Date(idTimeMs(id));
  const policy = { id, projectId, role, rules, version: 1, createdAt, updatedAt: createdAt };
  await ctx.inTransaction(async (tx) => {
    if (projectId !== null && (await findUnknownProjects(tx, [projectId])).size > 0) throw unknownProject();
    await insertPolicy(tx, policy, ctx.limits.policies);
  });
  return shownPolicy(policy);
}

function unknownProject(): AppError {
  const message = 'project_id must be the id of an existing project.';
  return new AppError('invalid_input', { field: 'project_id', constraint: 'format', message });
}
