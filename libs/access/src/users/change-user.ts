import type { ChangeUserBody, Scope, UserResource } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { deleteRecordsOfUser } from '../oauth/record.store.ts';
import { addedTo, assertMayGive, assertMayManage } from '../rules/scopes.ts';
import { deleteLinksOf } from '../sessions/access-link.store.ts';
import { hashPassword } from '../sessions/password.ts';
import { deleteSessionsOf } from '../sessions/session.store.ts';
import { givenScopes, isActiveAdmin, lastAdmin, type User, userResource } from './user.ts';
import { hasOtherAdmin } from './user.read-model.ts';
import { lockAdmins, lockUser, updateUser } from './user.store.ts';

type Change = {
  id: string;
  ifMatch: readonly number[] | undefined;
  body: ChangeUserBody;
  scopes: readonly Scope[];
};

/**
 * Changes a person. Other scopes or another password end the person's sessions; another password also revokes grants to
 * clients, since someone with the old password could have created them. The caller must have all scopes of the person,
 * before and after: by setting a password or an e-mail address the caller could sign in as them.
 */
export async function changeUser(
  ctx: UseCaseContext,
  { id, ifMatch, body, scopes }: Change,
): Promise<{ body: UserResource; version: number }> {
  const { password: text, role: _role, ...rest } = body;
  const given = givenScopes(body);
  const data = given ? { ...rest, scopes: given } : rest;
  const password = text === undefined ? undefined : await hashPassword(text);
  return ctx.inTransaction(async (tx) => {
    await lockAdmins(tx);
    const user = await lockUser(tx, id);
    if (!user) throw new AppError('not_found');
    assertVersion(user.version, ifMatch);
    const after = {
      ...user,
      email: body.email ?? user.email,
      name: body.name ?? user.name,
      scopes: given ?? user.scopes,
    };
    assertMayManage(user, scopes);
    assertMayGive(addedTo(user.scopes, after.scopes), scopes);
    if (isActiveAdmin(user) && !isActiveAdmin(after) && !(await hasOtherAdmin(tx, id))) throw lastAdmin();
    const row = await updateUser(tx, id, { ...after, password, updatedAt: ctx.clock.now() });
    if (password !== undefined || given) await endSessions(tx, user);
    if (password !== undefined) await deleteRecordsOfUser(tx, id);
    await recordAudit(tx, ctx.actor, {
      action: 'user.changed',
      target: id,
      data: password === undefined ? data : { ...data, is_password_new: true },
    });
    return { body: userResource(row), version: row.version };
  });
}

async function endSessions(tx: Tx, { id }: User): Promise<void> {
  await deleteSessionsOf(tx, id);
  await deleteLinksOf(tx, id);
  tx.notify('access', id);
}
