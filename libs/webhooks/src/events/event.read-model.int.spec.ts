import { maxCounted, pageOf } from '@eas/contracts';
import type { Db } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pageEvents } from './event.read-model.ts';

const test = useTestDatabase();
const common = ['task.created', 'task.updated', 'task.completed'];
const rare = 'pr.merged';
let tenantId = '';

const fillSql = `
  WITH made AS (INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now() - n * interval '1 second') || lpad(n::text, 16, '0'),
    CASE WHEN n % 10000 = 0 THEN $3 ELSE ($2::text[])[1 + n % 3] END, now() - n * interval '1 second', '{}'
  FROM generate_series(1, 40000) AS n RETURNING tenant_id, event_id)
  INSERT INTO event_numbers (tenant_id, number, event_id)
  SELECT tenant_id, row_number() OVER (ORDER BY event_id), event_id FROM made`;

beforeAll(async () => {
  tenantId = await test.createTenant();
  await test.database.db.query(fillSql, [tenantId, common, rare]);
  await test.database.db.query('VACUUM ANALYZE events, event_numbers');
});

type Plan = Record<string, number> & { Plans?: Plan[] };

/** Rows that a plan took from tables and indexes, also those that it skipped. */
function rowsRead({ Plans: inner = [], ...node }: Plan): number {
  if (inner.length > 0) return inner.reduce((sum, plan) => sum + rowsRead(plan), 0);
  const skipped = node['Rows Removed by Filter'] ?? 0;
  return (node['Actual Loops'] ?? 0) * ((node['Actual Rows'] ?? 0) + skipped);
}

/** The page, and the most rows that one of its statements read. */
async function readOf(
  types: readonly string[],
  filter: { event_type?: string } = {},
  { after, sort = '-event_id' }: { after?: string; sort?: string } = {},
) {
  const { db } = test.database;
  let most = 0;
  const query: Db['query'] = async (text, values, options) => {
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
    const [row] = await db.query<Record<string, { Plan: Plan }[]>>(explain, values, options);
    most = Math.max(most, rowsRead(row?.['QUERY PLAN']?.[0]?.Plan as Plan));
    return db.query(text, values, options);
  };
  const page = await pageEvents({ db: { ...db, query }, tenantId }, types, filter, pageOf({ sort, after }));
  return { page, most };
}

describe('the list of events', () => {
  it('finds and counts events of a rare type without reading the others', async () => {
    const { page, most } = await readOf([...common, rare], { event_type: rare });
    expect([page.total, page.items.length]).toEqual([4, 4]);
    expect(most).toBeLessThan(100);
  });

  it('continues after any event by reading one page, however many events there are', async () => {
    const behind = async (number: number) => {
      const sql = 'SELECT event_id AS id FROM event_numbers WHERE tenant_id = $1 AND number = $2';
      const [event] = await test.database.db.query<{ id: string }>(sql, [tenantId, number]);
      return readOf(common, {}, { after: event?.id });
    };
    for (const number of [39_990, 20_000, 50]) {
      const { page, most } = await behind(number);
      expect(page.items).toHaveLength(20);
      // The total, counted up to its limit, is most of it.
      expect(most).toBeLessThanOrEqual(maxCounted + 1 + 40);
    }
  });

  it.each(['timestamp', '-timestamp', 'event_type', '-event_type'])(
    'reads a page by %s, however many there are',
    async (sort) => {
      const first = await readOf(common, {}, { sort });
      const after = first.page.nextCursor ?? '';
      const second = await readOf(common, {}, { sort, after });
      expect([first.page.items.length, second.page.items.length]).toEqual([20, 20]);
      expect(first.page.items.map(({ id }) => id)).not.toContain(second.page.items[0]?.id);
      expect(Math.max(first.most, second.most)).toBeLessThanOrEqual(maxCounted + 1 + 40);
    },
  );

  it('reads no more for a caller who may only read rare types', async () => {
    const { page, most } = await readOf([rare, 'pr.closed', 'webhook.paused']);
    expect([page.total, page.items.length]).toEqual([4, 4]);
    expect(most).toBeLessThan(100);
  });
});

describe('a list of events after one that is no longer stored', () => {
  const idAt = (second: number) => `evt_01${String(second).padStart(24, '0')}`;
  const madeSql = `
    WITH made AS (
      INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
      SELECT $1, id, 'task.created', now(), '{}' FROM unnest($2::text[]) AS e (id) RETURNING event_id
    ), counted AS (
      INSERT INTO event_counters (tenant_id, last_number) VALUES ($1, 9)
    )
    INSERT INTO event_numbers (tenant_id, number, event_id)
    SELECT $1, 4 + row_number() OVER (ORDER BY event_id), event_id FROM made`;
  const page = async (sort: string, after: string) =>
    (await pageEvents({ db: test.database.db, tenantId }, common, {}, pageOf({ sort, after }))).items.map(
      ({ eventId }) => eventId,
    );

  beforeAll(async () => {
    tenantId = await test.createTenant();
    await test.database.db.query(madeSql, [tenantId, [5, 6, 7].map(idAt)]);
  });

  it('continues with the oldest stored event', async () => {
    for (const sort of ['event_id', 'timestamp']) {
      expect(await page(sort, idAt(2))).toEqual([5, 6, 7].map(idAt));
      expect(await page(`-${sort}`, idAt(2))).toEqual([]);
    }
    expect(await page('event_id', idAt(5))).toEqual([6, 7].map(idAt));
  });

  it.each(['evt_none', idAt(8), idAt(6).replace('evt', 'tsk')])(
    'refuses %s, which no event ever had',
    async (after) => {
      await expect(page('event_id', after)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});
