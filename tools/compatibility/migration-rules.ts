// Old and new processes run on one database while a version is rolled out: what takes something away from the old ones waits
// for a later release, and what locks a large table does so for a moment. See docs/operate/upgrade.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoFolder } from './releases.ts';

export type Migration = { name: string; sql: string };

/** What stands before a statement on purpose: `-- contract: <since when nothing uses it>`. */
const mark = /^--\s*contract:\s*\S{3}/im;

const identifier = '"?([a-z_][a-z0-9_]*)"?';
const created = new RegExp(`^CREATE\\s+(?:UNLOGGED\\s+)?TABLE\\s+(?:IF NOT EXISTS\\s+)?${identifier}`, 'i');
const altered = new RegExp(`^(?:ALTER|DROP)\\s+TABLE\\s+(?:IF EXISTS\\s+)?(?:ONLY\\s+)?${identifier}`, 'i');
const isAlter = /^ALTER\s+(?:TABLE|VIEW|TYPE)\b/i;

type Rule = { what: string; breaks: (statement: string) => boolean };

const rules: readonly Rule[] = [
  { what: 'drops a table, view or type', breaks: (sql) => /^DROP\s+(?:TABLE|VIEW|TYPE|SCHEMA|SEQUENCE)\b/i.test(sql) },
  { what: 'drops a column', breaks: (sql) => isAlter.test(sql) && /\bDROP\s+COLUMN\b/i.test(sql) },
  { what: 'renames something', breaks: (sql) => isAlter.test(sql) && /\bRENAME\b/i.test(sql) },
  {
    what: 'changes the type of a column',
    breaks: (sql) => isAlter.test(sql) && /\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i.test(sql),
  },
  { what: 'makes a column NOT NULL', breaks: (sql) => isAlter.test(sql) && /\bSET\s+NOT\s+NULL\b/i.test(sql) },
  { what: 'drops a default', breaks: (sql) => isAlter.test(sql) && /\bDROP\s+DEFAULT\b/i.test(sql) },
  { what: 'adds a column that is NOT NULL without a default', breaks: addsBareColumn },
];

function addsBareColumn(sql: string): boolean {
  if (!isAlter.test(sql)) return false;
  const added = sql.split(/\bADD\s+COLUMN\b/i).slice(1);
  return added.some((one) => {
    const [definition = ''] = one.split(/,\s*(?=ADD\b|DROP\b|ALTER\b)/i);
    return /\bNOT\s+NULL\b/i.test(definition) && !/\b(?:DEFAULT|GENERATED)\b/i.test(definition);
  });
}

/** Statements with the comments before them. Bodies of functions are left out: they change nothing when they are made. */
function statementsOf(sql: string): { text: string; comments: string }[] {
  const withoutBodies = sql.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''");
  return withoutBodies.split(/;[^\S\n]*(?:\n|$)/).map((part) => {
    const lines = part.trim().split('\n');
    const comments = lines.filter((line) => line.trim().startsWith('--')).join('\n');
    const text = lines
      .map((line) => line.replace(/--.*$/, ''))
      .join('\n')
      .trim();
    return { text, comments };
  });
}

/** What old processes could not go on with, migration by migration. Tables made by these migrations are not theirs. */
export function contractSteps(migrations: readonly Migration[]): string[] {
  const own = new Set<string>();
  return migrations.flatMap(({ name, sql }) =>
    statementsOf(sql).flatMap(({ text, comments }) => {
      const made = created.exec(text)?.[1];
      if (made) own.add(made);
      if (own.has(altered.exec(text)?.[1] ?? '') || mark.test(comments)) return [];
      const [first = ''] = text.split('\n');
      return rules.filter(({ breaks }) => breaks(text)).map(({ what }) => `${name}: ${what} (${first.slice(0, 100)})`);
    }),
  );
}

/** Those up to this one are older than the rule: docs/operate/upgrade.md says what they lock. */
const lastWithoutRule = '20261127100000_lists_of_what_needs_attention';

/** What stands before an index that holds writes up on purpose: `-- locks: <for how long, and why that is short>`. */
const lockMark = /^--\s*locks:\s*\S{3}/im;
const index = new RegExp(
  `^CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+(CONCURRENTLY\\s+)?(?:IF NOT EXISTS\\s+)?${identifier}\\s+ON\\s+(?:ONLY\\s+)?${identifier}`,
  'i',
);

/** What writers would wait for, migration by migration. Tables made by these migrations are empty. */
export function lockSteps(migrations: readonly Migration[]): string[] {
  const own = new Set<string>();
  return migrations.flatMap(({ name, sql }) => {
    const statements = statementsOf(sql).filter(({ text }) => text !== '');
    return statements.flatMap(({ text, comments }) => {
      const made = created.exec(text)?.[1];
      if (made) own.add(made);
      const [, concurrently, , table = ''] = index.exec(text) ?? [];
      if (name <= lastWithoutRule || table === '' || own.has(table) || lockMark.test(comments)) return [];
      if (!concurrently) return [`${name}: nothing can be written to ${table} while it builds an index`];
      return statements.length > 1 ? [`${name}: an index that is built concurrently is the only statement`] : [];
    });
  });
}

export const readMigrations = (names: readonly string[]): Migration[] =>
  names.map((name) => ({
    name,
    sql: readFileSync(join(repoFolder, 'prisma/migrations', name, 'migration.sql'), 'utf8'),
  }));
