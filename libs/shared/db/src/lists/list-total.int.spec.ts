import { maxCounted, type Page } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { fetchPage } from './list-page.ts';
import { equals, type ListSource } from './list-source.ts';
import { totalStatement } from './list-statements.ts';

const test = useTestDatabase();
const source: ListSource = {
  from: 'notes',
  columns: 'id',
  sortable: { id: { sql: 'id', type: 'text' }, color: { sql: 'color', type: 'text' } },
};
const page: Page = { limit: 1, offset: 0, after: undefined, sort: { field: 'id', isDescending: false } };

it(`a list counts up to ${maxCounted} matches, and reports when there are more`, async () => {
  const scope = { db: test.database.db, tenantId: 'tnt_counted' };
  await scope.db.query(
    'CREATE TABLE notes (tenant_id text, id text COLLATE "C", color text, PRIMARY KEY (tenant_id, id))',
  );
  const grow = (from: number, to: number) =>
    scope.db.query(
      `INSERT INTO notes SELECT $1, lpad(n::text, 9, '0'), 'red' FROM generate_series($2::int, $3::int) AS n`,
      [scope.tenantId, from, to],
    );
  const totalOf = async (color?: string) => {
    const { total, isTotalCut } = await fetchPage(scope, source, [equals('color', color)], page);
    return { total, isTotalCut };
  };
  await grow(1, maxCounted);
  expect(await totalOf()).toEqual({ total: maxCounted, isTotalCut: false });
  await grow(maxCounted + 1, maxCounted + 2);
  expect(await totalOf()).toEqual({ total: maxCounted, isTotalCut: true });
  expect(await totalOf('red')).toEqual({ total: maxCounted, isTotalCut: true });
  expect(await totalOf('blue')).toEqual({ total: 0, isTotalCut: false });
});

it('items have only the columns of the list, whatever it is sorted by', async () => {
  const scope = { db: test.database.db, tenantId: 'tnt_sorted' };
  await scope.db.query(`INSERT INTO notes VALUES ($1, 'a', 'red')`, [scope.tenantId]);
  for (const field of ['id', 'color'])
    expect((await fetchPage(scope, source, [], { ...page, sort: { field, isDescending: false } })).items).toEqual([
      { id: 'a' },
    ]);
});

it('a list with an index by distance counts by its own condition, since a total has no order', () => {
  const condition = (nearest?: 'size') => ({
    sql: (value: string) => `color < ${value}`,
    value: 'red',
    ids: { from: 'notes', id: 'id', sql: (value: string) => `near(color) < ${value}`, ...(nearest && { nearest }) },
  });
  const countedBy = (nearest?: 'size') =>
    totalStatement({ tenantId: 'tnt_counted', source, page, conditions: [condition(nearest)] }).text;
  expect(countedBy()).toContain('near(color) < $2');
  expect(countedBy('size')).not.toContain('near');
});
