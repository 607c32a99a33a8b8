import type { Scope } from '@eas/contracts';
import { AppError } from '@eas/core';
import { brokenConstraint, type DbScope, lockName, lockRow } from '@eas/db';
import type { User } from './user.ts';
import { findUser, userFields, userOf } from './user.read-model.ts';

/** Locks the set of admins until the transaction ends, so that the check for a remaining admin stays valid. */
export const lockAdmins = (scope: DbScope): Promise<void> => lockName(scope, 'admins');

export type NewUser = {
  id: string;
  email: string;
  name: string;
  scopes: readonly Scope[];
  /** A PHC string; null until the person sets one. */
  password: string | null;
  createdBy: string;
  createdAt: Date;
};

/** Adds a user; throws conflict when the e-mail address is taken. */
export async function insertUser({ db, tenantId }: DbScope, user: NewUser): Promise<User> {
  const data = { ...user, tenantId, scopes: [...user.scopes], updatedAt: user.createdAt };
  return userOf(await db.prisma.user.create({ data, select: userFields }).catch(refuseTakenEmail));
}

/** Locks one user until the transaction ends. */
export async function lockUser(scope: DbScope, id: string): Promise<User | undefined> {
  await lockRow(scope, 'users', id);
  return findUser(scope, id);
}

/** `password` is a PHC string; undefined keeps the current one. */
export type UserChange = Pick<User, 'email' | 'name' | 'scopes' | 'updatedAt'> & { password: string | undefined };

/** Changes a user; throws conflict when another user has the e-mail address. */
export async function updateUser({ db, tenantId }: DbScope, id: string, change: UserChange): Promise<User> {
  const { email, name, scopes, updatedAt, password } = change;
  const data = { email, name, scopes, updatedAt, password, version: { increment: 1 } };
  const where = { tenantId_id: { tenantId, id } };
  return userOf(await db.prisma.user.update({ where, data, select: userFields }).catch(refuseTakenEmail));
}

/** Records that a user signed in. Undefined: the user is gone, or has another password by now. */
export async function recordSignIn(
  { db, tenantId }: DbScope,
  { id, password, at }: { id: string; password: string; at: Date },
): Promise<User | undefined> {
  const where = { tenantId, id, password, deletedAt: null };
  const [user] = await db.prisma.user.updateManyAndReturn({ where, data: { lastSignedInAt: at }, select: userFields });
  return user && userOf(user);
}

/** Deletes a user; the row stays, its password does not. */
export async function markUserDeleted({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  const data = { deletedAt: at, updatedAt: at, version: { increment: 1 }, password: null };
  await db.prisma.user.updateMany({ where: { tenantId, id }, data });
}

function refuseTakenEmail(error: unknown): never {
  if (brokenConstraint(error) !== 'users_email_key') throw error;
  const message = 'email is already used by another user.';
  throw new AppError('conflict', { field: 'email', constraint: 'exists', message, cause: error });
}
