import { describe, expect, it } from '@jest/globals';
import { contractSteps, lockSteps } from './migration-rules.ts';

const stepsOf = (sql: string) => contractSteps([{ name: 'm', sql }]);

describe('a migration that old processes cannot go on with', () => {
  it.each([
    ['DROP TABLE "tasks";', 'drops a table'],
    ['DROP VIEW analytics_task_view;', 'drops a table, view'],
    ['ALTER TABLE "tasks" DROP COLUMN "title";', 'drops a column'],
    ['ALTER TABLE tasks\n  ADD COLUMN a int,\n  DROP COLUMN b;', 'drops a column'],
    ['ALTER TABLE "tasks" RENAME COLUMN "title" TO "name";', 'renames'],
    ['ALTER TABLE "tasks" RENAME TO "jobs";', 'renames'],
    ['ALTER TABLE "tasks" ALTER COLUMN "title" SET NOT NULL;', 'NOT NULL'],
    ['ALTER TABLE "tasks" ALTER COLUMN "title" DROP DEFAULT;', 'drops a default'],
    ['ALTER TABLE "tasks" ALTER COLUMN "rank" TYPE bigint;', 'type of a column'],
    ['ALTER TABLE "tasks" ALTER COLUMN "rank" SET DATA TYPE bigint;', 'type of a column'],
    ['ALTER TABLE "tasks" ADD COLUMN "kind" TEXT NOT NULL;', 'NOT NULL without a default'],
    ['ALTER TABLE "tasks" ADD COLUMN a INT DEFAULT 1, ADD COLUMN "kind" TEXT NOT NULL;', 'NOT NULL without a default'],
  ])('%s', (sql, what) => {
    expect(stepsOf(sql)).toEqual([expect.stringContaining(what)]);
  });

  it('is allowed as a contract step, which says why, one statement at a time', () => {
    const drop = 'ALTER TABLE "tasks" DROP COLUMN "title";\n';
    expect(stepsOf(`-- contract: not read since v0.2.0\n${drop}`)).toEqual([]);
    expect(stepsOf(`-- contract:\n${drop}`)).toHaveLength(1);
    expect(stepsOf(`-- contract: not read since v0.2.0\n${drop}${drop}`)).toHaveLength(1);
  });
});

describe('a migration that only adds', () => {
  it.each([
    'ALTER TABLE "tasks" ADD COLUMN "kind" TEXT;',
    `ALTER TABLE "tasks" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'task';`,
    'ALTER TABLE "tasks" ALTER COLUMN "title" DROP NOT NULL;',
    'CREATE TABLE "more" ("id" TEXT NOT NULL); ALTER TABLE "tasks" ADD CONSTRAINT "c" CHECK (rank > 0) NOT VALID;',
    'CREATE TABLE "more" ("id" TEXT NOT NULL);\nALTER TABLE "more" ADD COLUMN "b" TEXT NOT NULL;\nDROP TABLE "more";',
    'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE tasks; END $$;',
    '-- Later: ALTER TABLE "tasks" DROP COLUMN "title";\nCREATE INDEX "i" ON "tasks" ("title");',
  ])('%s', (sql) => {
    expect(stepsOf(sql)).toEqual([]);
  });
});

describe('an index of a table that may be large', () => {
  const locksOf = (sql: string, name = '20270101000000_more') => lockSteps([{ name, sql }]);
  const plain = 'CREATE INDEX "i" ON "tasks" ("title");';

  it.each([
    plain,
    'CREATE UNIQUE INDEX i ON tasks (title);',
    'CREATE INDEX "i" ON ONLY "events" ("id");',
    'CREATE TABLE "more" ("id" TEXT);\nCREATE INDEX "i" ON "tasks" ("title");',
  ])('holds up writes: %s', (sql) => {
    expect(locksOf(sql)).toEqual([expect.stringContaining('while it builds an index')]);
  });

  it('is built concurrently, by a migration that does nothing else', () => {
    const concurrent = '-- For lists.\nCREATE INDEX CONCURRENTLY "i" ON "tasks" ("title");\n';
    expect(locksOf(concurrent)).toEqual([]);
    expect(locksOf(`ALTER TABLE "tasks" ADD COLUMN "more" TEXT;\n${concurrent}`)).toEqual([
      expect.stringContaining('is the only statement'),
    ]);
  });

  it('may hold them up where a comment says for how long, and where the table is new', () => {
    expect(locksOf(`-- locks: one row for each tenant\n${plain}`)).toEqual([]);
    expect(locksOf('CREATE TABLE "more" ("id" TEXT);\nCREATE INDEX "i" ON "more" ("id");')).toEqual([]);
  });

  it('is as it was in migrations older than the rule', () => {
    expect(locksOf(plain, '20261127100000_lists_of_what_needs_attention')).toEqual([]);
  });
});
