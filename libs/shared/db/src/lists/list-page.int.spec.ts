import type { Page } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DbScope } from '../connection/db.ts';
import { fetchPage } from './list-page.ts';
import { type Condition, equals, type ListSource, within } from './list-source.ts';

const test = useTestDatabase();
type Row = {
  id: string;
  title: string | null;
  number: number | null;
  at: Date | null;
  size: number;
  grade: (typeof grades)[number] | null;
  text: string;
  is_hidden?: boolean;
};
type Field = 'id' | 'title' | 'number' | 'at' | 'size' | 'grade' | 'text';
/** An order that is not alphabetical. */
const grades = ['low', 'mid', 'high', 'best'] as const;

const source: ListSource = {
  from: 'shelf',
  columns: 'id, title, number, at, size, grade, text',
  visible: 'NOT is_hidden',
  sortable: {
    id: { sql: 'id', type: 'text' },
    title: { sql: 'title', type: 'text', isNullable: true },
    number: { sql: 'number', type: 'int', isNullable: true },
    at: { sql: 'at', type: 'timestamptz', isNullable: true },
    size: { sql: 'size', type: 'int' },
    grade: { sql: 'grade', type: 'text', isNullable: true, order: grades },
    text: { sql: 'text', type: 'text', isLong: true },
  },
};

beforeAll(async () => {
  await test.database.db.query(
    `CREATE TABLE shelf (tenant_id text, id text COLLATE "C", title text COLLATE "C", number int, at timestamptz(3), size int NOT NULL,
                         grade text, text text COLLATE "C" NOT NULL, is_hidden boolean DEFAULT false, PRIMARY KEY (tenant_id, id))
     WITH (autovacuum_enabled = off) -- Statistics that are gathered at any time would change the checked plans.`,
  );
  // While the table is empty: an index of updated rows is not used until all earlier transactions have ended.
  for (const column of ['size', 'number'])
    await test.database.db.query(`CREATE INDEX shelf_by_${column} ON shelf (tenant_id, ${column}, id)`);
  await test.database.db.query(
    'CREATE TABLE boxes (tenant_id text, box text, shelf_id text COLLATE "C", PRIMARY KEY (tenant_id, box, shelf_id))',
  );
});

let tenants = 0;
/** A list of its own with these rows. */
async function shelfOf(rows: readonly Row[]): Promise<DbScope> {
  const scope = { db: test.database.db, tenantId: `tnt_${(tenants += 1)}` };
  await add(scope, rows);
  return scope;
}
async function add({ db, tenantId }: DbScope, rows: readonly Row[]): Promise<void> {
  await db.query(
    `INSERT INTO shelf SELECT $1, id, title, number, at, size, grade, text, coalesce(is_hidden, false)
     FROM json_to_recordset($2::json) AS s (id text, title text, number int, at timestamptz, size int, grade text, text text, is_hidden boolean)`,
    [tenantId, JSON.stringify(rows)],
  );
}

const page = (over: Partial<Page> = {}): Page => ({
  limit: 3,
  offset: 0,
  after: undefined,
  sort: { field: 'id', isDescending: false },
  ...over,
});
const sortBy = (field: Field, isDescending = false) => ({ sort: { field, isDescending } });
const fetch = (scope: DbScope, asked: Page) => fetchPage<Row>(scope, source, [], asked);

/** Reads all ids by following the cursor; `between` runs after each page. */
async function walk(scope: DbScope, asked: Partial<Page>, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { items, nextCursor } = await fetch(scope, page({ ...asked, after }));
    ids.push(...items.map(({ id }) => id));
    if (nextCursor === null) return ids;
    after = nextCursor;
    expect(items).toHaveLength(asked.limit ?? 3);
    await between();
  }
}

/** Grades sort in their own order, long texts by their beginning. */
function keyOf(row: Row, field: Field): string | number | Date | null {
  if (field === 'grade') return row.grade && grades.indexOf(row.grade);
  return field === 'text' ? row.text.slice(0, 500) : row[field];
}

/** The expected list: null last in both directions, ties by id in the direction of the sort. */
function sorted(rows: readonly Row[], field: Field, isDescending: boolean): string[] {
  const sign = isDescending ? -1 : 1;
  const compare = (a: string | number | Date, b: string | number | Date) => (a < b ? -1 : a > b ? 1 : 0);
  return [...rows]
    .sort((a, b) => {
      const [x, y] = [keyOf(a, field), keyOf(b, field)];
      if (x !== null && y !== null) return sign * (compare(x, y) || compare(a.id, b.id));
      if (x === null && y === null) return sign * compare(a.id, b.id);
      return x === null ? 1 : -1;
    })
    .map(({ id }) => id);
}

const row = (id: string, over: Partial<Row> = {}): Row => ({
  id,
  title: null,
  number: null,
  at: null,
  size: 0,
  grade: null,
  text: '',
  ...over,
});

describe('a page by offset', () => {
  it('returns its part of the list and the total', async () => {
    const scope = await shelfOf(['a', 'b', 'c', 'd'].map((id) => row(id)));
    const { items, total, nextCursor } = await fetch(scope, page({ offset: 1, limit: 2 }));
    expect([items.map(({ id }) => id), total, nextCursor]).toEqual([['b', 'c'], 4, expect.any(String)]);
    expect(await fetch(scope, page({ offset: 3 }))).toMatchObject({ items: [{ id: 'd' }], total: 4, nextCursor: null });
    const beyond = { items: [], total: 4, isTotalCut: false, nextCursor: null };
    expect(await fetch(scope, page({ offset: 9 }))).toEqual(beyond);
  });

  it('shows and counts neither other tenants nor what is not visible', async () => {
    await shelfOf([row('z')]);
    const scope = await shelfOf([row('a'), row('b', { is_hidden: true })]);
    expect(await fetch(scope, page())).toMatchObject({ items: [{ id: 'a' }], total: 1 });
  });

  it('applies the conditions that have a value to items and number', async () => {
    const scope = await shelfOf([row('a', { number: 1 }), row('b', { number: 2 }), row('c', { number: 1 })]);
    const conditions = [equals('number', 1), equals('title', undefined)];
    const found = await fetchPage<Row>(scope, source, conditions, page({ limit: 1 }));
    expect(found).toMatchObject({ items: [{ id: 'a' }], total: 2, nextCursor: expect.any(String) });
  });
});

describe('a page by cursor', () => {
  it('visits every item once, through ties and nulls, in both directions', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, n) => row(id, { number: n < 4 ? 1 : null }));
    const scope = await shelfOf(rows);
    expect(await walk(scope, { limit: 2, ...sortBy('number') })).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(await walk(scope, { limit: 2, ...sortBy('number', true) })).toEqual(['d', 'c', 'b', 'a', 'g', 'f', 'e']);
  });

  it('neither repeats nor misses an item while others are added', async () => {
    const rows = Array.from({ length: 10 }, (_, n) => row(`m${n}`, { number: n * 10 }));
    const scope = await shelfOf(rows);
    let added = 0;
    const ids = await walk(scope, { limit: 3, ...sortBy('number', true) }, () => {
      added += 1;
      return add(scope, [row(`new${added}`, { number: 1_000 + added }), row(`old${added}`, { number: -added })]);
    });
    expect(ids.filter((id) => id.startsWith('m'))).toEqual(sorted(rows, 'number', true));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.startsWith('new'))).toEqual([]);
  });

  it('neither repeats nor misses an item whose position changes, or that is removed', async () => {
    const scope = await shelfOf(['a', 'b', 'c', 'd', 'e'].map((id, n) => row(id, { number: n })));
    const { nextCursor } = await fetch(scope, page({ limit: 2, after: '', ...sortBy('number') }));
    const rest = async () => (await fetch(scope, page({ after: nextCursor ?? '', ...sortBy('number') }))).items;
    for (const change of ['SET number = 99', 'SET number = -1', 'SET number = NULL', 'SET is_hidden = true']) {
      await scope.db.query(`UPDATE shelf ${change} WHERE tenant_id = $1 AND id = 'b'`, [scope.tenantId]);
      expect((await rest()).map(({ id }) => id).filter((id) => id !== 'b')).toEqual(['c', 'd', 'e']);
    }
  });

  it('counts all that match, not what is left', async () => {
    const scope = await shelfOf(['a', 'b', 'c', 'd'].map((id) => row(id)));
    expect(await fetch(scope, page({ after: 'c', limit: 2 }))).toMatchObject({ items: [{ id: 'd' }], total: 4 });
  });

  it.each([
    ['nothing', 'x'],
    ['a hidden item', 'b'],
    ['an item of another tenant', 'foreign'],
  ])('refuses a cursor that names %s with 400', async (_, after) => {
    await shelfOf([row('foreign')]);
    const scope = await shelfOf([row('a'), row('b', { is_hidden: true })]);
    await expect(fetch(scope, page({ after }))).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ field: 'after', constraint: 'format' }],
    });
  });

  it('accepts only cursors within its conditions, if these define what the list shows', async () => {
    const scope = await shelfOf([row('a', { size: 1 }), row('b', { size: 2 }), row('c', { size: 1 })]);
    const shelf = (after: string) => fetchPage<Row>(scope, source, [within(equals('size', 1))], page({ after }));
    expect(await shelf('a')).toMatchObject({ items: [{ id: 'c' }], total: 2 });
    await expect(shelf('b')).rejects.toMatchObject({ violations: [{ field: 'after' }] });
  });
});

describe('any list', () => {
  const anyRow = fc.record({
    id: fc.string({ unit: fc.constantFrom(...'abcXYZ019_'), minLength: 1, maxLength: 6 }),
    title: fc.option(fc.string({ unit: fc.constantFrom(...'aAzZ é%'), maxLength: 3 })),
    number: fc.option(fc.integer({ min: -2, max: 2 })),
    at: fc.option(fc.integer({ min: 0, max: 3 }).map((ms) => new Date(1_790_000_000_000 + ms))),
    size: fc.integer({ min: 0, max: 3 }),
    grade: fc.option(fc.constantFrom(...grades)),
    text: fc
      .tuple(fc.constantFrom('', '\u0001'.repeat(500), 'é'.repeat(499)), fc.constantFrom('a', 'b'))
      .map((t) => t.join('')),
  });
  const anyRows = fc.uniqueArray(anyRow, { selector: ({ id }) => id, maxLength: 25 });
  const anySort = fc.record({
    field: fc.constantFrom<Field>('id', 'title', 'number', 'at', 'size', 'grade', 'text'),
    isDescending: fc.boolean(),
  });

  it('is the same read by offset, by cursor and sorted in memory', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anySort, fc.integer({ min: 1, max: 7 }), async (rows, sort, limit) => {
        const scope = await shelfOf(rows);
        const expected = sorted(rows, sort.field, sort.isDescending);
        expect(await walk(scope, { limit, sort })).toEqual(expected);
        const byOffset: string[] = [];
        for (let offset = 0; offset < rows.length; offset += limit)
          byOffset.push(...(await fetch(scope, page({ limit, offset, sort }))).items.map(({ id }) => id));
        expect(byOffset).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a list that cannot be read', () => {
  it('because its items are too large for a page responds with 400, and can be read in smaller pages', async () => {
    const scope = await shelfOf(['a', 'b', 'c', 'd'].map((id) => row(id, { text: 'x'.repeat(3 * 1_024 * 1_024) })));
    await expect(fetch(scope, page({ limit: 4 }))).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ field: 'limit', constraint: 'max_size' }],
    });
    expect((await fetch(scope, page({ limit: 1, offset: 1 }))).items).toHaveLength(1);
  });

  it('ends with an error, and leaves no failure unhandled', async () => {
    const unhandled: unknown[] = [];
    const record = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', record);
    const away: DbScope['db'] = { ...test.database.db, query: () => Promise.reject(new Error('away')) };
    const scope = { db: away, tenantId: 'tnt_1' };
    await expect(fetch(scope, page())).rejects.toThrow('away');
    await expect(fetch(scope, page({ after: 'a' }))).rejects.toThrow('away');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', record);
    expect(unhandled).toEqual([]);
  });
});

describe('the statements of a list', () => {
  it('read a stored total with the page, and separately when the page is empty', async () => {
    const scope = await shelfOf([row('a'), row('b')]);
    const texts: string[] = [];
    const query: DbScope['db']['query'] = (text, values, options) => {
      texts.push(text);
      return scope.db.query(text, values, options);
    };
    // Stored numbers that differ from the rows show the source of a total.
    const from = `(SELECT '${scope.tenantId}' AS tenant_id, 1 AS size, 7 AS n
      UNION ALL SELECT 'tnt_other', 1, 9 UNION ALL SELECT '${scope.tenantId}', 2, 4) AS numbers`;
    const kept = { ...source, visible: 'true', totals: { from, columns: { size: 'size' } } };
    const read = async (asked: Page, ...conditions: Condition[]) => {
      texts.length = 0;
      const { total } = await fetchPage(
        { db: { ...scope.db, query }, tenantId: scope.tenantId },
        kept,
        conditions,
        asked,
      );
      return { total, statements: texts.length };
    };
    expect(await read(page())).toEqual({ total: 11, statements: 1 });
    expect(await read(page({ after: 'a' }))).toEqual({ total: 11, statements: 2 });
    expect(await read(page({ offset: 5 }))).toEqual({ total: 11, statements: 2 });
    expect(await read(page(), equals('size', 2))).toEqual({ total: 4, statements: 2 });
    expect(await read(page(), equals('title', 'unknown'))).toEqual({ total: 0, statements: 2 });
  });

  it('are prepared with one filter at most, up to the limit of a process', async () => {
    const { tenantId } = await shelfOf([row('a')]);
    // As in a new process: statements of other test files count towards the same limit.
    const unused = './list-page.ts?unused';
    const { fetchPage: fetch } = (await import(unused)) as { fetchPage: typeof fetchPage };
    await test.database.inTransaction(tenantId, async ({ db }) => {
      const scope = { db, tenantId };
      const sql = "SELECT count(*) AS kept FROM pg_prepared_statements WHERE statement LIKE '%FROM shelf%'";
      const kept = async () => (await db.query<{ kept: number }>(sql))[0]?.kept ?? 0;
      const before = await kept();
      const several = [equals('size', 1), equals('number', 1)];
      await fetch<Row>(scope, source, several, page({ after: 'a', ...sortBy('size') }));
      expect(await kept()).toBe(before);
      const anyTexts = Array.from({ length: 150 }, (_, number) => equals(`size + ${number}`, number));
      for (const one of anyTexts) await fetch<Row>(scope, source, [one], page());
      expect(await kept()).toBeGreaterThan(before);
      expect((await kept()) - before).toBeLessThanOrEqual(100);
    });
  });

  it('read a page in the order of an index, whatever the position of its cursor', async () => {
    const plans = await plansOf([], page({ after: 'a', ...sortBy('size', true) }));
    expect(plans.find((plan) => plan.startsWith('Limit'))).toMatch(/Backward.*shelf_by_size[^]*ROW\(size, id\) < ROW/);
    expect(plans.join()).not.toContain('Sort');
  });

  it.each([true, false])(
    'read both parts of a key that may be null in the order of its index (downwards: %s)',
    async (down) => {
      const [plan = ''] = (await plansOf([], page({ after: 'a', ...sortBy('number', down) }))).filter((one) =>
        one.includes('Append'),
      );
      const parts = plan.split('Limit').slice(2);
      expect(parts).toHaveLength(2);
      for (const part of parts)
        expect(part).toMatch(/^[^\n]*\n *->  Index (Only )?Scan( Backward)? using shelf_by_number/);
      expect(plan).toMatch(/number IS NOT NULL[^]*number IS NULL/);
    },
  );
});

describe('a condition with an index of its own', () => {
  const inBox = (box: string): Condition => ({
    sql: (value) => `id IN (SELECT shelf_id FROM boxes WHERE tenant_id = $1 AND box = ${value})`,
    value: box,
    ids: { from: 'boxes', id: 'shelf_id', sql: (value) => `box = ${value}` },
  });
  const { visible: _, ...open } = source;

  it('returns the same pages and totals, in both directions, with another condition and in another order', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => row(`r${n + 10}`, { size: n % 2, number: -n }));
    const scope = await shelfOf(rows);
    const boxed = rows.filter((_, n) => n % 3 !== 0);
    for (const { id } of boxed)
      await scope.db.query('INSERT INTO boxes VALUES ($1, $2, $3)', [scope.tenantId, 'a', id]);
    for (const isDescending of [true, false])
      for (const field of ['id', 'number'] as const) {
        const expected = sorted(boxed, field, isDescending);
        const asked = (over: Partial<Page>) => page({ limit: 3, sort: { field, isDescending }, ...over });
        const byOffset = await fetchPage<Row>(scope, open, [inBox('a')], asked({ offset: 3 }));
        expect([byOffset.items.map(({ id }) => id), byOffset.total]).toEqual([expected.slice(3, 6), 8]);
        const byCursor = await fetchPage<Row>(scope, open, [inBox('a')], asked({ after: expected[4] ?? '' }));
        expect(byCursor).toMatchObject({ total: 8, nextCursor: null });
        expect(byCursor.items.map(({ id }) => id)).toEqual(expected.slice(5));
      }
    const both = await fetchPage<Row>(scope, open, [inBox('a'), equals('size', 1)], page({ limit: 50 }));
    expect(both.items.map(({ id }) => id)).toEqual(
      sorted(
        boxed.filter(({ size }) => size === 1),
        'id',
        false,
      ),
    );
    expect(both.total).toBe(both.items.length);
  });
});

describe('a list with stored numbers', () => {
  it('takes its total from them as long as all conditions are on their columns', async () => {
    const scope = await shelfOf([row('a', { size: 1 }), row('b', { size: 2, number: 3 })]);
    const kept: ListSource = {
      ...source,
      totals: {
        from: '(VALUES ($1::text, 1, 40), ($1, 2, 2)) AS kept (tenant_id, of_size, n)',
        columns: { size: 'of_size' },
      },
    };
    const totalOf = async (...conditions: Condition[]) => (await fetchPage<Row>(scope, kept, conditions, page())).total;
    expect(await totalOf()).toBe(42);
    expect(await totalOf(equals('size', 1))).toBe(40);
    expect(await totalOf(equals('size', 7))).toBe(0);
    expect(await totalOf(equals('size', 2), equals('number', 3))).toBe(1);
  });
});

/** The plans of the statements of a page, with sorts and sequential scans disabled. */
async function plansOf(conditions: Condition[], asked: Page): Promise<string[]> {
  const scope = await shelfOf([row('a', { number: 1 }), row('b', { size: 1 })]);
  const plans: string[] = [];
  await test.database.inTransaction(scope.tenantId, async (tx) => {
    for (const way of ['sort', 'seqscan', 'bitmapscan']) await tx.db.query(`SET LOCAL enable_${way} = off`);
    const query: DbScope['db']['query'] = async (text, values, options) => {
      const lines = await tx.db.query<Record<string, string>>(`EXPLAIN ${text}`, values, options);
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      return tx.db.query(text, values, options);
    };
    await fetchPage({ ...scope, db: { ...tx.db, query } }, source, conditions, asked);
  });
  return plans;
}
