import { type Page, type PageOfItems, userStatuses } from '@eas/contracts';
import { type Db, type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import type { User } from './user.ts';

const statusSql = `CASE WHEN password IS NULL THEN 'invited' ELSE 'active' END`;

export const userColumns = `
  id, email, name, scopes, ${statusSql} AS status, created_by AS "createdBy", created_at AS "createdAt",
  updated_at AS "updatedAt", last_signed_in_at AS "lastSignedInAt", version`;

const oneSql = `SELECT ${userColumns} FROM users WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** One user that was not deleted. */
export async function findUser({ db, tenantId }: DbScope, id: string): Promise<User | undefined> {
  const [row] = await db.query<User>(oneSql, [tenantId, id]);
  return row;
}

/** What signing in needs of a user; `password` is a PHC string. */
export type SigningUser = { tenantId: string; id: string; password: string | null };

const byEmailSql = `
  SELECT tenant_id AS "tenantId", id, password FROM users WHERE email = $1 AND deleted_at IS NULL`;

/** The user with that e-mail address, in lower case. It is looked up before a tenant is known: the user says whose. */
export async function findByEmail(db: Db, email: string): Promise<SigningUser | undefined> {
  const [row] = await db.query<SigningUser>(byEmailSql, [email]);
  return row;
}

const otherAdminSql = `
  SELECT id FROM users
  WHERE tenant_id = $1 AND id <> $2 AND 'admin' = ANY (scopes) AND password IS NOT NULL AND deleted_at IS NULL
  LIMIT 1`;

/** Whether somebody but that user can sign in and manage access. */
export async function hasOtherAdmin({ db, tenantId }: DbScope, userId: string): Promise<boolean> {
  return (await db.query(otherAdminSql, [tenantId, userId])).length > 0;
}

/** Whether anybody can sign in and manage access. */
export const hasAdmin = (scope: DbScope): Promise<boolean> => hasOtherAdmin(scope, '');

const source = {
  from: 'users',
  columns: userColumns,
  visible: 'deleted_at IS NULL',
  sortable: {
    id: { sql: 'id', type: 'text' },
    email: { sql: 'email', type: 'text' },
    name: { sql: 'name', type: 'text' },
    status: { sql: statusSql, type: 'text', order: userStatuses },
    created_by: { sql: 'created_by', type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
    last_signed_in_at: { sql: 'last_signed_in_at', type: 'timestamptz', isNullable: true },
  },
} as const satisfies ListSource;

export type UserFilter = { [F in keyof typeof source.sortable]?: string | Date | undefined };

export function pageUsers(scope: DbScope, filter: UserFilter, page: Page): Promise<PageOfItems<User>> {
  const fields = Object.keys(filter) as (keyof UserFilter)[];
  const conditions = fields.map((field) => equals(source.sortable[field].sql, filter[field]));
  return fetchPage<User>(scope, source, conditions, page);
}
