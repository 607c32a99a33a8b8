import { emailInput, newPassword, passwordLength, scopes } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { hasAdmin } from '../users/user.read-model.ts';
import { insertUser, lockAdmins } from '../users/user.store.ts';
import { deleteFirstAdminLinks } from '../sessions/access-link.store.ts';
import { issueLink } from '../sessions/issue-link.ts';
import { hashPassword } from '../sessions/password.ts';

/**
 * Creates the first user with every scope from settings; does nothing if the tenant has an admin, whose later changes
 * stay. Safe in several processes at once. Throws an error that names the setting for an invalid address or password.
 */
export async function ensureFirstAdmin(
  ctx: UseCaseContext,
  settings: { email: string; password: string },
): Promise<void> {
  const email = emailInput.safeParse(settings.email);
  if (!email.success) throw new Error('ADMIN_EMAIL must be an e-mail address.');
  const { min, max } = passwordLength;
  if (!newPassword.safeParse(settings.password).success)
    throw new Error(`ADMIN_PASSWORD must have ${min} to ${max} characters.`);
  if (await hasAdmin(ctx)) return;
  const password = await hashPassword(settings.password);
  const createdAt = ctx.clock.now();
  const createdBy = ctx.actor.id;
  await ctx.inTransaction(async (tx) => {
    await lockAdmins(tx);
    if (await hasAdmin(tx)) return;
    const id = newId('user');
    const user = { id, email: email.data, name: email.data, scopes, password, createdBy, createdAt };
    await insertUser(tx, user);
    await recordAudit(tx, ctx.actor, { action: 'user.created', target: id, data: { email: email.data, scopes } });
  });
}

/** Undefined when there is an admin. Earlier links become invalid. */
export async function makeFirstAdminLink(ctx: UseCaseContext): Promise<string | undefined> {
  return ctx.inTransaction(async (tx) => {
    await lockAdmins(tx);
    if (await hasAdmin(tx)) return undefined;
    await deleteFirstAdminLinks(tx);
    const { id, token } = await issueLink(tx, { purpose: 'first_admin', userId: null }, ctx.clock.now());
    await recordAudit(tx, ctx.actor, { action: 'access_link.made', target: id });
    return token;
  });
}
