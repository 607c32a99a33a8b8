import { type Db, inFreshIndexOrderSql, postponePendingEvent, takePendingEvents } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  firstBacklogKey,
  claimLate,
  claimUnsent,
  findBacklogs,
  type PendingRow,
  readOutboxState,
  unclaim,
} from './outbox.sweeper.ts';
import { numberEvents } from './numbers.sweeper.ts';

const test = useTestDatabase();
const backlog = 100_000;
let tenantId = '';
let rows: PendingRow[] = [];

const claimNext = async (db: Db, quota: number) => {
  await db.query(inFreshIndexOrderSql);
  const backlogs = await findBacklogs(db, firstBacklogKey, 10);
  const quotas = backlogs.map(() => quota);
  return claimUnsent(db, backlogs, quotas);
};

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.commented', now(), '{}'
  FROM generate_series(1, $2) AS n`;
const outboxSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at, sent_at)
  SELECT tenant_id, event_id, $2, app_now() - interval '1 minute', $3::timestamptz FROM events WHERE tenant_id = $1`;
const numbersSql = `
  INSERT INTO event_numbers (tenant_id, number, event_id)
  SELECT tenant_id, row_number() OVER (ORDER BY event_id), event_id FROM events WHERE tenant_id = $1`;

beforeAll(async () => {
  tenantId = await test.createTenant();
  const { db } = test.database;
  await db.query(`INSERT INTO subscribed_tenants VALUES ($1)`, [tenantId]);
  // The planner has the statistics from before the backlog.
  for (const table of ['events', 'outbox', 'event_numbers']) await db.query(`VACUUM ANALYZE ${table}`);
  await db.query(eventsSql, [tenantId, backlog]);
  await db.query(outboxSql, [tenantId, 'event.fan_out', null]);
  await db.query(outboxSql, [tenantId, 'facts.record', new Date(Date.now() - 60_000)]);
  await db.query(numbersSql, [tenantId]);
  const pending = await db.query<{ event_id: string }>('SELECT event_id FROM outbox WHERE tenant_id = $1 LIMIT 50', [
    tenantId,
  ]);
  rows = pending.map(({ event_id: eventId }) => ({ tenantId, eventId, consumer: 'event.fan_out', attempts: 0 }));
});

describe.each(['with old statistics', 'with current statistics'])('with an outbox of 200,000 rows, %s', (known) => {
  beforeAll(async () => {
    if (known !== 'with current statistics') return;
    for (const table of ['events', 'outbox', 'event_numbers']) await test.database.db.query(`ANALYZE ${table}`);
  });
  const read = (work: Parameters<typeof rowsReadBy>[1]) => rowsReadBy({ database: test.database, tenantId }, work);

  it('a relay reads only the rows that it sends, numbers or resends', async () => {
    expect((await read(({ db }) => claimNext(db, 100)))['outbox']).toBeLessThan(1_000);
    expect((await read(({ db }) => numberEvents(db, rows)))['event_numbers']).toBeLessThan(500);
    expect((await read(({ db }) => claimLate(db, 100, 15_000, ['facts.record'])))['outbox']).toBeLessThan(1_000);
    expect((await read(({ db }) => unclaim(db, rows)))['outbox']).toBeLessThan(500);
  });

  it('a consumer reads only the rows and events that it takes', async () => {
    const ids = rows.map(({ eventId }) => eventId);
    const taken = await read((scope) => takePendingEvents(scope, 'event.fan_out', ids));
    expect(taken['outbox']).toBeLessThan(500);
    expect(taken['events']).toBeLessThan(500);
  });

  it('a scrape reads only the ends of the outbox indexes, whatever was resent', async () => {
    await test.database.inTransaction('', ({ db }) => claimLate(db, 1_000, 15_000, ['facts.record']));
    expect((await read(({ db }) => readOutboxState(db)))['outbox']).toBeLessThan(100);
  });
});

it('the state of the outbox has ages by state and the number of dead rows', async () => {
  const { db } = test.database;
  await db.query(`DELETE FROM outbox WHERE tenant_id = $1`, [tenantId]);
  const read = () => test.database.inTransaction('', (tx) => readOutboxState(tx.db));
  expect(await read()).toEqual({ unsentSeconds: 0, sentSeconds: 0, dead: 0 });
  const one = `INSERT INTO outbox (tenant_id, event_id, consumer, available_at, sent_at, dead_at)
    VALUES ($1, $2, $3, app_now() + $4 * interval '1 second', app_now() + $5 * interval '1 second', $6::timestamptz)`;
  const eventId = rows[0]?.eventId;
  await db.query(one, [tenantId, eventId, 'event.fan_out', -90, null, null]);
  await db.query(one, [tenantId, eventId, 'facts.record', -300, -200, null]);
  await db.query(one, [tenantId, eventId, 'runs.advance', -900, null, new Date()]);
  const state = await read();
  expect(state.dead).toBe(1);
  expect(Math.abs(state.unsentSeconds - 90)).toBeLessThan(30);
  expect(Math.abs(state.sentSeconds - 200)).toBeLessThan(30);
});

it('a row that is resent keeps its age, until its consumer postpones it', async () => {
  const { db } = test.database;
  await db.query('DELETE FROM outbox');
  const eventId = rows[0]?.eventId ?? '';
  const sentSeconds = async () => (await test.database.inTransaction('', (tx) => readOutboxState(tx.db))).sentSeconds;
  await db.query(`INSERT INTO outbox (tenant_id, event_id, consumer) VALUES ($1, $2, 'facts.record')`, [
    tenantId,
    eventId,
  ]);
  expect(await test.database.inTransaction('', (tx) => claimNext(tx.db, 10))).toHaveLength(1);
  const ages: number[] = [];
  for (const seconds of [100, 200, 300]) {
    await test.shiftClock(seconds);
    const late = await test.database.inTransaction('', (tx) => claimLate(tx.db, 10, 15_000, ['facts.record']));
    expect(late).toHaveLength(1);
    ages.push(await sentSeconds());
  }
  expect(ages.map((age) => Math.round(age / 100))).toEqual([1, 2, 3]);
  await postponePendingEvent({ db, tenantId }, 'facts.record', eventId, { error: 'too early' });
  expect(await sentSeconds()).toBe(0);
});
