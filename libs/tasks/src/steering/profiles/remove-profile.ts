import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { deleteProfile, lockProfile } from '../../records/profiles/profile.store.ts';
import { noSuchProfile } from '../../records/profiles/profile.ts';

/** With all of its versions. Attempts that work by it go on. Throws 404 and 412. */
export async function removeProfile(
  ctx: UseCaseContext,
  { profileId, ifMatch }: { profileId: string; ifMatch?: readonly number[] },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const profile = await lockProfile(tx, profileId);
    if (!profile) throw noSuchProfile();
    assertVersion(profile.version, ifMatch);
    await deleteProfile(tx, profileId);
  });
}
