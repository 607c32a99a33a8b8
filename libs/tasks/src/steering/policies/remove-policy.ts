import type { UseCaseContext } from '@eas/db';
import { noSuchPolicy, type Policy } from '../../records/permissions/policy.ts';
import { deletePolicy, lockPolicy } from '../../records/permissions/policy.store.ts';
import { assertVersion } from '@eas/core';
import type { PolicyRef } from './change-policy.ts';

/** Removes a policy and gives it as it was. Throws 404 and 412. */
export function removePolicy(ctx: UseCaseContext, { policyId, ifMatch }: PolicyRef): Promise<Policy> {
  return ctx.inTransaction(async (tx) => {
    const policy = await lockPolicy(tx, policyId);
    if (!policy) throw noSuchPolicy();
    assertVersion(policy.version, ifMatch);
    await deletePolicy(tx, policyId);
    return policy;
  });
}
