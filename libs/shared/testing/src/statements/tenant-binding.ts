import { allowance } from './cross-tenant.ts';
import type { Statements } from './record-statements.ts';

/** Tables and views whose rows belong to a tenant. */
export const tenantTablesSql = `SELECT DISTINCT table_name AS name FROM information_schema.columns
  WHERE table_schema = 'public' AND column_name = 'tenant_id'`;

/**
 * How often a statement names a table with tenants without binding the tenant: each mention must have its own
 * comparison of tenant_id, or its own column list with tenant_id to insert into. 0: the tenant is bound.
 */
export function unboundMentions(sql: string, tables: readonly string[]): number {
  const table = `(?:"public"\\.)?"?(?:${tables.join('|')})"?`;
  const named = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+(?:ONLY\\s+)?${table}(?![\\w.])`, 'gi');
  const listed = new RegExp(`,\\s*${table}\\s+(?!AS\\b)[a-z]\\w*(?=\\s)`, 'gi');
  const mentions = count(sql, named) + count(sql, listed);
  return Math.max(0, mentions - count(sql, bindings));
}

const column = '(?:(?:"public"\\.)?"?\\w+"?\\.)?"?tenant_id"?';
const bindings = new RegExp(
  [
    `${column}\\s*(?:=|IN\\b)`,
    `=\\s*${column}(?!\\s*=)`,
    `\\(\\s*${column}\\s*,[^)]*\\)`,
    `INTO\\s+\\w+\\s*\\(\\s*${column}\\s*\\)`,
  ].join('|'),
  'gi',
);

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

/** Throws for statements that do not bind the tenant and are not among those that may cross tenants. */
export function requireTenants(statements: Statements, tables: readonly string[]): void {
  const unbound = [...statements].filter(
    ([sql, user]) => unboundMentions(sql, tables) > 0 && allowance(user, sql) === undefined,
  );
  if (unbound.length === 0) return;
  const list = unbound.map(([sql, user]) => `${user}:\n${sql.trim().slice(0, 1_000)}`).join('\n\n');
  throw new Error(
    `tenant_id is not bound for every table of these statements; if they must cross tenants, say why in cross-tenant.ts\n\n${list}`,
  );
}
