import type { Scope } from '@eas/contracts';
import { AppError } from '@eas/core';
import { brokenConstraint, type DbScope } from '@eas/db';
import type { User } from './user.ts';
import { userColumns } from './user.read-model.ts';

/** Holds who may manage access until the transaction ends: whether an admin is left cannot change meanwhile. */
export async function lockAdmins({ db, tenantId }: DbScope): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`admins ${tenantId}`]);
}

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

const insertSql = `
  INSERT INTO users (tenant_id, id, email, name, scopes, password, created_by, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) RETURNING ${userColumns}`;

/** Adds a user; throws conflict when somebody has the e-mail address. */
export async function insertUser({ db, tenantId }: DbScope, user: NewUser): Promise<User> {
  const { id, email, name, scopes, password, createdBy, createdAt } = user;
  const values = [tenantId, id, email, name, scopes, password, createdBy, createdAt];
  const [row] = await db.query<User>(insertSql, values).catch(refuseTakenEmail);
  return row as User;
}

const lockSql = `SELECT ${userColumns} FROM users WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;

/** Holds one user until the transaction ends. */
export async function lockUser({ db, tenantId }: DbScope, id: string): Promise<User | undefined> {
  const [row] = await db.query<User>(lockSql, [tenantId, id]);
  return row;
}

/** `password` is a PHC string; null leaves the one that is there. */
export type UserChange = Pick<User, 'email' | 'name' | 'scopes'> & { password: string | null };

const updateSql = `
  UPDATE users SET email = $3, name = $4, scopes = $5, password = coalesce($6, password),
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 RETURNING ${userColumns}`;

/** Changes a user; throws conflict when somebody else has the e-mail address. */
export async function updateUser({ db, tenantId }: DbScope, id: string, change: UserChange): Promise<User> {
  const { email, name, scopes, password } = change;
  const values = [tenantId, id, email, name, scopes, password];
  const [row] = await db.query<User>(updateSql, values).catch(refuseTakenEmail);
  return row as User;
}

const signedInSql = `
  UPDATE users SET last_signed_in_at = app_now()
  WHERE tenant_id = $1 AND id = $2 AND password = $3 AND deleted_at IS NULL RETURNING ${userColumns}`;

/** Notes that a user signed in. Undefined: the user is gone, or has another password by now. */
export async function noteSignedIn({ db, tenantId }: DbScope, id: string, password: string): Promise<User | undefined> {
  const [row] = await db.query<User>(signedInSql, [tenantId, id, password]);
  return row;
}

const deleteSql = `
  UPDATE users SET deleted_at = app_now(), updated_at = app_now(), version = version + 1, password = NULL
  WHERE tenant_id = $1 AND id = $2`;

/** Deletes a user; the row stays, its password does not. */
export async function markUserDeleted({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(deleteSql, [tenantId, id]);
}

function refuseTakenEmail(error: unknown): never {
  if (brokenConstraint(error) !== 'users_email_key') throw error;
  const message = 'email is already used by another user.';
  throw new AppError('conflict', { field: 'email', constraint: 'exists', message, cause: error });
}
