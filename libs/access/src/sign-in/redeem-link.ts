import { type RequestSource, scopes } from '@eas/contracts';
import { AppError, newId } from '@eas/core';
import type { Database, Tx } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { hashCredential } from '../rules/hash-credential.ts';
import { deleteRecordsOfUser } from '../oauth/record.store.ts';
import { hasAdmin } from '../users/user.read-model.ts';
import { insertUser, lockAdmins, lockUser, updateUser } from '../users/user.store.ts';
import type { LinkPurpose } from '../sessions/access-link.ts';
import { findUsableLink, type UsableLink } from '../sessions/access-link.read-model.ts';
import { takeLink } from '../sessions/access-link.store.ts';
import { hashPassword } from '../sessions/password.ts';
import { isPlausibleToken } from '../sessions/session.ts';
import { deleteSessionsOf } from '../sessions/session.store.ts';
import { type SignedIn, startSession } from './start-session.ts';

/** `email` (in lower case) and `name` are those of the first admin; for others they are ignored. */
export type Redemption = { token: string; password: string; email?: string; name?: string; source: RequestSource };

type Parts = { database: Pick<Database, 'db' | 'clock' | 'inTransaction'> };

export async function describeLink(parts: Parts, token: string): Promise<LinkPurpose | undefined> {
  const link = await findLink(parts, token);
  if (link?.purpose !== 'set_password') return link && { purpose: 'first_admin' };
  return { purpose: 'set_password', email: link.email ?? '', name: link.name ?? '' };
}

const findLink = async ({ database }: Parts, token: string) =>
  isPlausibleToken(token) ? findUsableLink(database.db, hashCredential(token)) : undefined;

/**
 * Uses a link up: creates the first admin or sets a person's password, and signs in. Throws not_found for a link that
 * is unknown, used or expired, conflict when an admin was created in the meantime or the e-mail address is taken.
 */
export async function redeemLink(parts: Parts, redemption: Redemption): Promise<SignedIn> {
  const { database } = parts;
  const { source } = redemption;
  const link = await findLink(parts, redemption.token);
  if (!link) throw noSuchLink();
  const admin = link.purpose === 'first_admin' ? readAdmin(redemption) : undefined;
  const password = await hashPassword(redemption.password);
  const at = database.clock.now();
  return database.inTransaction(link.tenantId, async (tx) => {
    await lockAdmins(tx);
    if (!(await takeLink(tx, link.id, at))) throw noSuchLink();
    const userId = admin
      ? await addAdmin(tx, { ...admin, password, createdAt: at })
      : await setPassword(tx, link, { password, at });
    await recordAudit(tx, { id: userId, via: source }, { action: 'access_link.redeemed', target: userId });
    return startSession(tx, { userId, password, source, at });
  });
}

/** Without either field the wrong form was filled in: names the missing fields. */
function readAdmin({ email, name }: Redemption): { email: string; name: string } {
  if (email !== undefined && name !== undefined) return { email, name };
  throw new AppError('invalid_input', { field: email === undefined ? 'email' : 'name', constraint: 'required' });
}

type FirstAdmin = { email: string; name: string; password: string; createdAt: Date };

async function addAdmin(tx: Tx, admin: FirstAdmin): Promise<string> {
  if (await hasAdmin(tx)) {
    const message = 'An administrator already exists. Ask for an invitation.';
    throw new AppError('conflict', { constraint: 'exists', message });
  }
  const { id } = await insertUser(tx, { ...admin, id: newId('user'), scopes, createdBy: 'system' });
  return id;
}

async function setPassword(
  tx: Tx,
  { userId }: UsableLink,
  { password, at }: { password: string; at: Date },
): Promise<string> {
  const user = userId === null ? undefined : await lockUser(tx, userId);
  if (!user) throw noSuchLink();
  await updateUser(tx, user.id, { ...user, password, updatedAt: at });
  await deleteSessionsOf(tx, user.id);
  await deleteRecordsOfUser(tx, user.id);
  tx.notify('access', user.id);
  return user.id;
}

const noSuchLink = () =>
  new AppError('not_found', { message: 'The link is unknown, has been used, or has expired. Ask for a new one.' });
