import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { deleteRecordsOfUser } from '../oauth/record.store.ts';
import { deleteLinksOf } from '../sessions/access-link.store.ts';
import { hashPassword, verifyPassword } from '../sessions/password.ts';
import { deleteOtherSessions } from '../sessions/session.store.ts';
import { findPassword } from '../users/user.read-model.ts';
import { lockUser, updateUser } from '../users/user.store.ts';
import { requireSession } from './get-session.ts';

/** Counts one attempt under a key; throws rate_limited beyond `perMinute`. */
export type Throttle = (key: string, perMinute: number) => Promise<void>;

const triesPerMinute = 10;

export type PasswordChange = { principal: Principal; currentPassword: string; newPassword: string };

/**
 * Changes the password of the person who is signed in. All other sessions of the person end, and grants to clients are
 * revoked: someone who knew the old password could have created them. Throws not_found for a caller without a session,
 * rate_limited, and invalid_input for a wrong current password.
 */
export async function changePassword(
  ctx: UseCaseContext,
  { principal, currentPassword, newPassword }: PasswordChange,
  throttle: Throttle,
): Promise<void> {
  const { sessionId } = requireSession(principal);
  const { id } = principal.actor;
  await throttle(`password of ${id}`, triesPerMinute);
  const before = await findPassword(ctx, id);
  if (!(await verifyPassword(currentPassword, before))) {
    await ctx.inTransaction((tx) => recordAudit(tx, ctx.actor, { action: 'session.refused', target: id }));
    throw wrongPassword();
  }
  const password = await hashPassword(newPassword);
  await ctx.inTransaction(async (tx) => {
    const user = await lockUser(tx, id);
    // It was changed concurrently.
    if (!user || (await findPassword(tx, id)) !== before) throw wrongPassword();
    await updateUser(tx, id, { ...user, password, updatedAt: ctx.clock.now() });
    await deleteOtherSessions(tx, { userId: id, sessionId });
    await deleteLinksOf(tx, id);
    await deleteRecordsOfUser(tx, id);
    tx.notify('access', id);
    await recordAudit(tx, ctx.actor, { action: 'user.changed', target: id, data: { is_password_new: true } });
  });
}

const wrongPassword = () =>
  new AppError('invalid_input', {
    field: 'current_password',
    constraint: 'enum',
    message: 'current_password is not your password.',
  });
