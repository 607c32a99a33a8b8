import { isDeepStrictEqual } from 'node:util';
import type { ChangePolicyBody } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { noSuchPolicy, type ShownPolicy, shownPolicy } from '../../records/permissions/policy.ts';
import { lockPolicy, updatePolicy } from '../../records/permissions/policy.store.ts';

export type PolicyRef = { policyId: string; ifMatch?: readonly number[] };

/** Replaces the rules as a whole; not `isChanged`: it had them. Throws 404 and 412. */
export function changePolicy(
  ctx: UseCaseContext,
  { policyId, ifMatch, body }: PolicyRef & { body: ChangePolicyBody },
): Promise<ShownPolicy & { isChanged: boolean }> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockPolicy(tx, policyId);
    if (!before) throw noSuchPolicy();
    assertVersion(before.version, ifMatch);
    const { rules = before.rules } = body;
    if (isDeepStrictEqual(rules, before.rules)) return { ...shownPolicy(before), isChanged: false };
    const changed = { ...before, rules, version: before.version + 1, updatedAt: ctx.clock.now() };
    await updatePolicy(tx, changed);
    return { ...shownPolicy(changed), isChanged: true };
  });
}
