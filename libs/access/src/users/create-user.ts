import type { CreateUserBody, Scope, UserResource } from '@eas/contracts';
import { AppError, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { assertMayGive } from '../rules/scopes.ts';
import { issueLink } from '../sessions/issue-link.ts';
import { hashPassword } from '../sessions/password.ts';
import { givenScopes, userResource } from './user.ts';
import { insertUser } from './user.store.ts';

/** Without a password: a one-time link. Throws forbidden for scopes the caller lacks, conflict for a taken address. */
export async function createUser(
  ctx: UseCaseContext,
  { body, scopes }: { body: CreateUserBody; scopes: readonly Scope[] },
): Promise<{ user: UserResource; linkToken?: string }> {
  const { password: text, role: _role, ...rest } = body;
  const given = givenScopes(body);
  if (!given) {
    const message = 'role is required, unless scopes are given.';
    throw new AppError('invalid_input', { field: 'role', constraint: 'required', message });
  }
  assertMayGive(given, scopes);
  const data = { ...rest, scopes: given };
  const password = text === undefined ? null : await hashPassword(text);
  const id = newId('user');
  const newUser = { ...data, id, password, createdBy: ctx.actor.id, createdAt: ctx.clock.now() };
  return ctx.inTransaction(async (tx) => {
    const user = userResource(await insertUser(tx, newUser));
    await recordAudit(tx, ctx.actor, { action: 'user.created', target: id, data });
    if (password !== null) return { user };
    const link = await issueLink(tx, { purpose: 'set_password', userId: id }, newUser.createdAt);
    return { user, linkToken: link.token };
  });
}
