import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { deleteProfile, lockProfile } from '../../records/profiles/profile.store.ts';
import { noSuchProfile } from '../../records/profiles/profile.ts';
import { keepBudgets } from './keep-budgets.ts';

/** With all of its versions and budgets. Attempts that work by it go on. Throws 404 and 412. */
export async function removeProfile(
  ctx: UseCaseContext,
  { profileId, ifMatch }: { profileId: string; ifMatch?: readonly number[] },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const profile = await lockProfile(tx, profileId);
    if (!profile) throw noSuchProfile();
    assertVersion(profile.version, ifMatch);
    await keepBudgets(tx, { profileId, budgets: [], at: ctx.clock.now() }, ctx.limits.budgets);
    await deleteProfile(tx, profileId);
  });
}
