import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DeadEventRow, listDeadEvents, retryDeadEvents, retryOldestDead } from './dead-event.sweeper.ts';

const test = useTestDatabase();
let tenantIds: string[] = [];

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.commented', now(), '{}'
  FROM generate_series(1, $2) AS n`;
/** Two die at the same moment, then the next two. */
const deadSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at, attempts, last_error, dead_at)
  SELECT tenant_id, event_id, 'event.fan_out', app_now(), 10, '<b>broken</b>',
    app_now() - (row_number() OVER (ORDER BY event_id) / 2) * interval '1 second'
  FROM events WHERE tenant_id = $1`;
const pendingSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer) SELECT tenant_id, event_id, 'facts.record' FROM events WHERE tenant_id = $1`;

async function makeDead(count: number): Promise<void> {
  const { db } = test.database;
  for (const tenantId of tenantIds) {
    await db.query(eventsSql, [tenantId, count]);
    await db.query(deadSql, [tenantId]);
    await db.query(pendingSql, [tenantId]);
  }
}

const list = (limit: number, after?: DeadEventRow) =>
  test.database.inTransaction('', (tx) => listDeadEvents(tx.db, { limit, after }));

async function listAll(limit: number): Promise<DeadEventRow[]> {
  const rows: DeadEventRow[] = [];
  for (;;) {
    const page = await list(limit, rows.at(-1));
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

const readPending = (consumer: string) =>
  test.database.db.query<{ attempts: number; isDue: boolean }>(
    `SELECT attempts, sent_at IS NULL AND available_at <= app_now() AS "isDue" FROM outbox
     WHERE consumer = $1 AND dead_at IS NULL`,
    [consumer],
  );

beforeEach(async () => {
  await test.database.db.query('TRUNCATE outbox, events');
  tenantIds = [await test.createTenant(), await test.createTenant()];
});

describe('dead events', () => {
  it('are listed once each over pages of any size, the latest first, for all tenants', async () => {
    await makeDead(9);
    const rows = await listAll(4);
    expect(rows).toEqual(await list(100));
    expect(new Set(rows.map(({ tenantId, eventId }) => tenantId + eventId)).size).toBe(18);
    const times = rows.map(({ deadAt }) => deadAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(rows[0]).toMatchObject({ eventType: 'task.commented', attempts: 10, lastError: '<b>broken</b>' });
  });

  it('are pending again at once when they are named, and others stay dead', async () => {
    await makeDead(3);
    const [first, second] = await list(10);
    const named = [first, { ...first, consumer: 'facts.record' }, { ...first, eventId: 'evt_unknown' }, second];
    const retried = await retryDeadEvents(test.database.db, named as DeadEventRow[]);
    expect(retried).toHaveLength(2);
    expect(await readPending('event.fan_out')).toEqual(Array(2).fill({ attempts: 0, isDue: true }));
    expect(await list(10)).toHaveLength(4);
    expect(await retryDeadEvents(test.database.db, named as DeadEventRow[])).toEqual([]);
  });

  it('are pending again, the oldest first, when none is named', async () => {
    await makeDead(3);
    const rows = await list(10);
    const retried = await test.database.inTransaction('', (tx) => retryOldestDead(tx.db, 2));
    const oldest = rows.filter(({ deadAt }) => deadAt.getTime() === rows.at(-1)?.deadAt.getTime());
    expect(retried.every(({ eventId }) => oldest.some((row) => row.eventId === eventId))).toBe(true);
    expect(await list(10)).toHaveLength(4);
  });

  it.each(['with old statistics', 'with current statistics'])(
    'are listed and retried without reading 50,000 others, %s',
    async (known) => {
      const { database } = test;
      const read = (work: Parameters<typeof rowsReadBy>[1]) => rowsReadBy({ database, tenantId: '' }, work);
      for (const table of ['events', 'outbox']) await database.db.query(`VACUUM ANALYZE ${table}`);
      await makeDead(12_500);
      if (known === 'with current statistics')
        for (const table of ['events', 'outbox']) await database.db.query(`ANALYZE ${table}`);
      const [after] = await test.database.inTransaction('', (tx) => listDeadEvents(tx.db, { limit: 1 }));
      for (const position of [undefined, after]) {
        const seen = await read(({ db }) => listDeadEvents(db, { limit: 100, after: position }));
        expect(seen['outbox']).toBeLessThan(500);
        expect(seen['events'] ?? 0).toBeLessThan(500);
      }
      const shown = await list(100);
      expect((await read(({ db }) => retryDeadEvents(db, shown)))['outbox']).toBeLessThan(1_000);
      expect((await read(({ db }) => retryOldestDead(db, 100)))['outbox']).toBeLessThan(1_000);
    },
  );
});
