import type { UseCaseContext } from '@eas/db';
import {
  changePolicy as change,
  createPolicy as create,
  removePolicy as remove,
  takeBackPermission as takeBack,
} from '@eas/tasks';
import { audited } from './audited.ts';

// Policies say what agents may do without a person, so the log says who set them.

export const createPolicy = (ctx: UseCaseContext, body: Parameters<typeof create>[1]): ReturnType<typeof create> =>
  audited(
    ctx,
    (inner) => create(inner, body),
    ({ body: { id, project_id, role, rules } }) => ({
      action: 'permission_policy.created',
      target: id,
      data: { project_id, role, rules },
    }),
  );

/** A patch that changes nothing leaves no entry. */
export async function changePolicy(
  ctx: UseCaseContext,
  patch: Parameters<typeof change>[1],
): ReturnType<typeof create> {
  const { body, version } = await audited(
    ctx,
    (inner) => change(inner, patch),
    ({ isChanged, body: { rules } }) =>
      isChanged ? { action: 'permission_policy.changed', target: patch.policyId, data: { rules } } : undefined,
  );
  return { body, version };
}

export async function removePolicy(ctx: UseCaseContext, ref: Parameters<typeof remove>[1]): Promise<void> {
  await audited(
    ctx,
    (inner) => remove(inner, ref),
    ({ projectId, role, rules }) => ({
      action: 'permission_policy.deleted',
      target: ref.policyId,
      data: { project_id: projectId, role, rules },
    }),
  );
}

export async function takeBackPermission(ctx: UseCaseContext, ref: Parameters<typeof takeBack>[1]): Promise<void> {
  await audited(
    ctx,
    (inner) => takeBack(inner, ref),
    ({ tool, subject }) => ({ action: 'task_permission.deleted', target: ref.taskId, data: { tool, subject } }),
  );
}
