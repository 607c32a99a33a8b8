import type { PermissionRule, PolicyResource } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';

export type Policy = {
  id: string;
  /** null: of all projects. */
  projectId: string | null;
  /** null: of all roles. */
  role: string | null;
  rules: PermissionRule[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

export function toPolicyResource(policy: Policy): PolicyResource {
  const { id, projectId, role, rules, version, createdAt, updatedAt } = policy;
  const times = { created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt) };
  return { id, project_id: projectId, role, rules, version, ...times };
}

/** As it is read alone, with the version that its ETag names. */
export type ShownPolicy = { body: PolicyResource; version: number };

export const shownPolicy = (policy: Policy): ShownPolicy => ({
  body: toPolicyResource(policy),
  version: policy.version,
});

export const noSuchPolicy = (): AppError => new AppError('not_found', { message: 'The policy does not exist.' });
