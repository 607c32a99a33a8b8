import type { PermissionRule } from '@eas/contracts';
import { AppError } from '@eas/core';
import { assertBelowLimit, type DbScope, lockRow, type Prisma, type Tx } from '@eas/db';
import { profileIdSql } from '../holders.ts';
import type { Policy } from './policy.ts';

/** All that is shown. */
export const policyFields = {
  id: true,
  projectId: true,
  role: true,
  rules: true,
  version: true,
  createdAt: true,
  updatedAt: true,
} as const;

export async function findPolicy({ db, tenantId }: DbScope, id: string): Promise<Policy | undefined> {
  const row = await db.prisma.permissionPolicy.findFirst({ where: { tenantId, id }, select: policyFields });
  return (row ?? undefined) as Policy | undefined;
}

/** Locks a policy until the transaction ends. */
export async function lockPolicy(scope: DbScope, id: string): Promise<Policy | undefined> {
  await lockRow(scope, 'permission_policies', id);
  return findPolicy(scope, id);
}

/** Inserts a policy. Throws conflict `limit` when the tenant has `max`, and `exists` where its project and role have one. */
export async function insertPolicy(tx: Tx, policy: Policy, max: number): Promise<void> {
  const { db, tenantId } = tx;
  const { projectId, role } = policy;
  // Those who add one take turns from here on.
  await assertBelowLimit(tx, 'policies', max, () => db.prisma.permissionPolicy.count({ where: { tenantId } }));
  if ((await db.prisma.permissionPolicy.count({ where: { tenantId, projectId, role } })) > 0)
    throw new AppError('conflict', {
      field: 'role',
      constraint: 'exists',
      message: 'role must be one without a policy for this project. Change the policy that there is.',
    });
  await db.prisma.permissionPolicy.create({ data: { ...dataOf(policy), tenantId } });
}

/** Writes a locked policy back. */
export async function updatePolicy({ db, tenantId }: Tx, policy: Policy): Promise<void> {
  await db.prisma.permissionPolicy.update({
    where: { tenantId_id: { tenantId, id: policy.id } },
    data: dataOf(policy),
  });
}

/** Deletes a locked policy. */
export async function deletePolicy({ db, tenantId }: Tx, id: string): Promise<void> {
  await db.prisma.permissionPolicy.delete({ where: { tenantId_id: { tenantId, id } } });
}

const dataOf = ({ rules, ...policy }: Policy) => ({ ...policy, rules: rules as unknown as Prisma.InputJsonArray });

const ofAgent = '(SELECT role FROM agents WHERE tenant_id = $1 AND id = $4)';
const profileId = profileIdSql({ tenant: '$1', role: ofAgent, agent: '$4' });
// A task without a role has that of the agent.
const rulesSql = `
  SELECT rules FROM (
    SELECT rules, CASE WHEN project_id IS NULL THEN 3 ELSE 1 END AS place, role IS NULL AS "isOfAllRoles"
    FROM permission_policies
    WHERE tenant_id = $1 AND (project_id IS NULL OR project_id = $2) AND (role IS NULL OR role = coalesce($3, ${ofAgent}))
    UNION ALL
    SELECT settings -> 'permission_rules', 2, false FROM profiles WHERE tenant_id = $1 AND id = ${profileId}
  ) AS found
  WHERE rules IS NOT NULL
  ORDER BY place, "isOfAllRoles"`;

type Work = { projectId: string | null; role: string | null; agentId: string };

/**
 * The rules for a task that the agent works on: of its project, then of the profile of the agent, then of all projects;
 * each time first those of its role. At most four policies and a profile.
 */
export async function rulesFor(
  { db, tenantId }: DbScope,
  { projectId, role, agentId }: Work,
): Promise<PermissionRule[]> {
  const policies = await db.query<{ rules: PermissionRule[] }>(rulesSql, [tenantId, projectId, role, agentId]);
  return policies.flatMap(({ rules }) => rules);
}
