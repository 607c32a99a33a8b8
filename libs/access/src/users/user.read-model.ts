import { type Page, type PageOfItems, roleScopes, type Scope, userRoles, userStatuses } from '@eas/contracts';
import { type Db, type DbScope, equals, fetchPage, type ListSource, type Prisma, selectList } from '@eas/db';
import type { User } from './user.ts';

export const userFields = {
  id: true,
  email: true,
  name: true,
  scopes: true,
  password: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  lastSignedInAt: true,
  version: true,
} as const;

type UserRow = Prisma.UserGetPayload<{ select: typeof userFields }>;

export const userOf = ({ password, scopes, ...row }: UserRow): User => ({
  ...row,
  scopes: scopes as Scope[],
  status: password === null ? 'invited' : 'active',
});

const visible = { deletedAt: null };

/** One user that was not deleted. */
export async function findUser({ db, tenantId }: DbScope, id: string): Promise<User | undefined> {
  const row = await db.prisma.user.findFirst({ where: { tenantId, id, ...visible }, select: userFields });
  return row ? userOf(row) : undefined;
}

/** The PHC string of a user that was not deleted; null without a password. */
export async function findPassword({ db, tenantId }: DbScope, id: string): Promise<string | null> {
  const row = await db.prisma.user.findFirst({ where: { tenantId, id, ...visible }, select: { password: true } });
  return row?.password ?? null;
}

/** The data of a user for sign-in; `password` is a PHC string. */
export type SigningUser = { tenantId: string; id: string; password: string | null };

const byEmailSql = `
  SELECT tenant_id AS "tenantId", id, password FROM users WHERE email = $1 AND deleted_at IS NULL`;

/**
 * The user with that e-mail address, in lower case. It is looked up before the tenant is known: the user determines it.
 */
export async function findByEmail(db: Db, email: string): Promise<SigningUser | undefined> {
  const [row] = await db.query<SigningUser>(byEmailSql, [email]);
  return row;
}

/** Whether anyone except that user can sign in and manage access. */
export async function hasOtherAdmin({ db, tenantId }: DbScope, userId: string): Promise<boolean> {
  const isActiveAdmin = { scopes: { has: 'admin' }, password: { not: null }, ...visible };
  const other = await db.prisma.user.findFirst({
    where: { tenantId, id: { not: userId }, ...isActiveAdmin },
    select: { id: true },
  });
  return other !== null;
}

/** Whether anyone can sign in and manage access. */
export const hasAdmin = (scope: DbScope): Promise<boolean> => hasOtherAdmin(scope, '');

/** The rule of `roleOf`, for the filter and the sort. */
const roleSql = `CASE ${userRoles
  .map((role) => [role, `'{${roleScopes[role].join(',')}}'::text[]`])
  .map(([role, own]) => `WHEN scopes @> ${own} AND scopes <@ ${own} THEN '${role}'`)
  .join(' ')} END`;

const source = {
  from: 'users',
  columns: selectList(userFields),
  visible: 'deleted_at IS NULL',
  sortable: {
    id: { sql: 'id', type: 'text' },
    email: { sql: 'email', type: 'text' },
    name: { sql: 'name', type: 'text' },
    role: { sql: roleSql, type: 'text', isNullable: true, order: userRoles },
    status: { sql: `CASE WHEN password IS NULL THEN 'invited' ELSE 'active' END`, type: 'text', order: userStatuses },
    created_by: { sql: 'created_by', type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
    last_signed_in_at: { sql: 'last_signed_in_at', type: 'timestamptz', isNullable: true },
  },
} as const satisfies ListSource;

export type UserFilter = { [F in keyof typeof source.sortable]?: string | Date | undefined };

export async function pageUsers(scope: DbScope, filter: UserFilter, page: Page): Promise<PageOfItems<User>> {
  const fields = Object.keys(filter) as (keyof UserFilter)[];
  const conditions = fields.map((field) => equals(source.sortable[field].sql, filter[field]));
  const { items, ...rest } = await fetchPage<UserRow>(scope, source, conditions, page);
  return { ...rest, items: items.map(userOf) };
}
