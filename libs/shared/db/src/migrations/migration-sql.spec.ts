import { describe, expect, it } from '@jest/globals';
import { migrationSql } from './migration-sql.ts';

const table = (name: string, columns: string) => `-- CreateTable\nCREATE TABLE "${name}" (\n${columns}\n);\n`;

describe('the SQL of a migration', () => {
  it('collates ids "C", of new tables and new columns, and no other texts', () => {
    const sql = `${table('names', '    "id" TEXT NOT NULL,\n    "title" TEXT NOT NULL,\n    "paid" TEXT')}
ALTER TABLE "tasks" ADD COLUMN "owner_id" TEXT;
`;
    expect(migrationSql(sql)).toBe(
      sql.replace('"id" TEXT', '"id" TEXT COLLATE "C"').replace('"owner_id" TEXT', '"owner_id" TEXT COLLATE "C"'),
    );
  });

  it('plans new tables of tenants for the largest one', () => {
    const [first, second] = ['notes', 'marks'].map((name) => table(name, '    "tenant_id" TEXT NOT NULL'));
    expect(migrationSql(`${first}\n${table('words', '    "word" TEXT')}\n${second}`)).toMatch(
      /\);\n\nSELECT plan_for_largest_tenant\('notes'\), plan_for_largest_tenant\('marks'\);\n$/,
    );
  });

  it('stays as it is without ids and new tables', () => {
    const sql = 'ALTER TABLE "tasks" ADD COLUMN "cost_cents" INTEGER NOT NULL DEFAULT 0;\n';
    expect(migrationSql(sql)).toBe(sql);
  });
});
