import { StartError } from '@eas/core';
import pg from 'pg';
import { connectionOptions } from '../connection/connection-options.ts';

export type AppRole = {
  /** URL of the role that migrates and owns the tables. */
  migrateUrl: string;
  role: string;
  /** Password of a new role; undefined keeps that of an existing one. */
  password?: string;
};

/** Schemas of the service and of its queues on Postgres. */
const schemas = ['public', 'queue'];

/** Rows of the first are written only by migrations, those of the second are never changed. */
const narrowed = [
  { table: '_prisma_migrations', revoked: 'INSERT, UPDATE, DELETE' },
  { table: 'audit_log', revoked: 'UPDATE, DELETE' },
];

/** Grants for all rows, also of tables of later migrations, but not for changing tables. */
export function grantStatements(role: string, database: string, present: readonly string[]): string[] {
  const to = pg.escapeIdentifier(role);
  const onSchema = (schema: string) => [
    `REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC, ${to}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${to}`,
    ...['GRANT', `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT`].flatMap((grant) => {
      const all = (kind: string) => (grant === 'GRANT' ? `ALL ${kind} IN SCHEMA ${schema}` : kind);
      return [
        `${grant} SELECT, INSERT, UPDATE, DELETE ON ${all('TABLES')} TO ${to}`,
        `${grant} SELECT, USAGE ON ${all('SEQUENCES')} TO ${to}`,
        `${grant} EXECUTE ON ${all('FUNCTIONS')} TO ${to}`,
      ];
    }),
  ];
  return [
    `GRANT CONNECT, TEMPORARY ON DATABASE ${pg.escapeIdentifier(database)} TO ${to}`,
    ...schemas.filter((schema) => present.includes(schema)).flatMap(onSchema),
    ...narrowed.map(({ table, revoked }) => `REVOKE ${revoked} ON public.${table} FROM ${to}`),
  ];
}

const stateSql = `
  SELECT current_user::text AS "user", current_database()::text AS database,
    (SELECT json_build_object('isSuperuser', r.rolsuper, 'isOwner', pg_has_role(r.oid, current_user, 'MEMBER'))
      FROM pg_roles r WHERE r.rolname = $1) AS role,
    (SELECT json_agg(nspname) FROM pg_namespace WHERE nspname = ANY ($2)) AS schemas`;

type State = {
  user: string;
  database: string;
  role: { isSuperuser: boolean; isOwner: boolean } | null;
  schemas: string[] | null;
};

/** `made`: the role is new. `unknown`: the role does not exist, and there is no password to create it with. */
export type RoleGrant = 'made' | 'granted' | 'unknown';

/** Creates the role of the apps if it is missing, and grants what it needs. May run at any time, and repeatedly. */
export async function grantAppRole({ migrateUrl, role, password }: AppRole): Promise<RoleGrant> {
  const client = new pg.Client({ ...connectionOptions, connectionString: migrateUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    // Concurrent processes would create the role twice and change the same rows of the catalog.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('app role', 0))`);
    const { rows } = await client.query<State>(stateSql, [role, schemas]);
    const [state] = rows;
    if (!state) throw new Error('the server said nothing of its roles');
    refuseMighty(state, role);
    if (!state.role && password === undefined) return 'unknown';
    if (!state.role) await client.query(createStatement(role, password ?? '')).catch(explain(role));
    for (const statement of grantStatements(role, state.database, state.schemas ?? [])) await client.query(statement);
    await client.query('COMMIT');
    return state.role ? 'granted' : 'made';
  } finally {
    await client.end();
  }
}

/** Changes the password of a role. */
export async function setRolePassword({ migrateUrl, role, password = '' }: AppRole): Promise<void> {
  const client = new pg.Client({ ...connectionOptions, connectionString: migrateUrl });
  await client.connect();
  const name = pg.escapeIdentifier(role);
  await client.query(`ALTER ROLE ${name} PASSWORD ${pg.escapeLiteral(password)}`).finally(() => client.end());
}

const createStatement = (role: string, password: string) =>
  `CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${pg.escapeLiteral(password)}`;

function refuseMighty({ user, role: known }: State, role: string): void {
  if (user === role)
    throw new StartError(
      `DATABASE_URL and MIGRATE_DATABASE_URL both name the role ${role}. Name another one in DATABASE_URL.`,
    );
  if (known?.isSuperuser || known?.isOwner)
    throw new StartError(
      `The role ${role} may do everything that ${user} may do. Choose a role that is no superuser and no member of ${user}.`,
    );
}

const explain = (role: string) => (error: unknown) => {
  if ((error as { code?: string }).code !== '42501') throw error;
  throw new StartError(
    `The role of MIGRATE_DATABASE_URL may not make roles. As a superuser run: CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD '…'. Then run db:roles again.`,
    error,
  );
};
