import { describe, expect, it } from '@jest/globals';
import { contractSteps } from './migration-rules.ts';

describe('a migration that old processes cannot go on with', () => {
  it.each([
    ['DROP VIEW analytics_task_view;', 'drops a view'],
    ['DROP TYPE kind;', 'drops a view, type'],
    ['ALTER VIEW a RENAME TO b;', 'renames'],
    ['ALTER TABLE "tasks" RENAME CONSTRAINT "a" TO "b";', 'renames'],
    ['ALTER TABLE "tasks" ALTER COLUMN "title" DROP DEFAULT;', 'drops a default'],
  ])('%s', (sql, what) => {
    expect(contractSteps(sql)).toEqual([expect.stringContaining(what)]);
  });

  it('is allowed as a contract step, which says why, one statement at a time', () => {
    const drop = 'DROP VIEW analytics_task_view;\n';
    expect(contractSteps(`-- contract: not read since v0.2.0\n${drop}`)).toEqual([]);
    expect(contractSteps(`-- contract:\n${drop}`)).toHaveLength(1);
    expect(contractSteps(`-- contract: not read since v0.2.0\n${drop}${drop}`)).toHaveLength(1);
  });

  it('is not one that only names such a statement', () => {
    const body = 'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP VIEW v; END $$;';
    expect(contractSteps(`-- Later: DROP VIEW v;\n${body}\nCREATE VIEW w AS SELECT 1;`)).toEqual([]);
  });
});
