import type { Scope } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { assertMayManage } from '../rules/scopes.ts';
import { deleteLinksOf } from '../sessions/access-link.store.ts';
import { issueLink } from '../sessions/issue-link.ts';
import { lockUser } from './user.store.ts';

/**
 * The token of a new one-time link that sets a person's password; earlier links become invalid. Its holder can sign in
 * as that person, so the caller must have the person's scopes. Throws not_found, forbidden.
 */
export async function makePasswordLink(
  ctx: UseCaseContext,
  { id: userId, scopes }: { id: string; scopes: readonly Scope[] },
): Promise<string> {
  return ctx.inTransaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_found');
    assertMayManage(user, scopes);
    await deleteLinksOf(tx, userId);
    const { token } = await issueLink(tx, { purpose: 'set_password', userId }, ctx.clock.now());
    await recordAudit(tx, ctx.actor, { action: 'access_link.made', target: userId });
    return token;
  });
}
