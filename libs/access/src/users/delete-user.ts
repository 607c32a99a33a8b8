import type { Scope } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { deleteRecordsOfUser } from '../oauth/record.store.ts';
import { assertMayManage } from '../rules/scopes.ts';
import { deleteLinksOf } from '../sessions/access-link.store.ts';
import { deleteSessionsOf } from '../sessions/session.store.ts';
import { deleteViewsOf } from '../views/view.store.ts';
import { isActiveAdmin, lastAdmin } from './user.ts';
import { hasOtherAdmin } from './user.read-model.ts';
import { lockAdmins, lockUser, markUserDeleted } from './user.store.ts';

/** Ends their sessions. Throws forbidden for scopes the caller lacks, conflict for the last one with admin. */
export async function deleteUser(
  ctx: UseCaseContext,
  { id, ifMatch, scopes }: { id: string; ifMatch: readonly number[] | undefined; scopes: readonly Scope[] },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await lockAdmins(tx);
    const user = await lockUser(tx, id);
    if (!user) throw new AppError('not_found');
    assertVersion(user.version, ifMatch);
    assertMayManage(user, scopes);
    if (isActiveAdmin(user) && !(await hasOtherAdmin(tx, id))) throw lastAdmin();
    await markUserDeleted(tx, id, ctx.clock.now());
    await deleteSessionsOf(tx, id);
    await deleteLinksOf(tx, id);
    await deleteRecordsOfUser(tx, id);
    await deleteViewsOf(tx, id);
    tx.notify('access', id);
    await recordAudit(tx, ctx.actor, { action: 'user.deleted', target: id, data: { email: user.email } });
  });
}
