import type { Logger } from '@eas/core';
import { eventually, rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../connection/db.ts';
import { deleteOldDefaults, deleteOldNumbers } from './old-row.sweeper.ts';
import { defaultRetention, type HistoryRetention } from './retention.ts';
import { type RetentionObserver, sweepHistory } from './sweep-history.ts';

const test = useTestDatabase();
const tables = ['attempts', 'deliveries', 'events', 'session_batches', 'model_calls'] as const;
const defaults: HistoryRetention = { ...defaultRetention, sessionDays: 30, modelCallDays: 90 };
const months = ['2020-06', '2020-07', '2020-08', '2020-09', '2020-11'];
/** March, October and December have no partition. */
const days = [
  '2020-03-15',
  '2020-06-15',
  '2020-07-31',
  '2020-08-01',
  '2020-09-30',
  '2020-10-10',
  '2020-10-25',
  '2020-11-10',
  '2020-12-15',
];
let tenants: string[] = [];

beforeAll(async () => {
  await test.stopClock();
  const [row] = await test.database.db.query<{ seconds: number }>(
    "SELECT extract(epoch FROM timestamptz '2020-11-20T12:00:00Z' - app_now())::float8 AS seconds",
  );
  await test.shiftClock(row?.seconds ?? 0);
});

beforeEach(async () => {
  await query(
    'TRUNCATE events, deliveries, attempts, session_batches, model_calls, event_numbers, event_counters, outbox',
  );
  for (const month of months) await query('SELECT create_event_partitions($1::date)', [`${month}-01`]);
  tenants = (await Promise.all([test.createTenant(), test.createTenant()])).sort();
  for (const tenant of tenants) await fill(tenant);
});

const query = <Row extends object>(sql: string, values: unknown[] = []) => test.database.db.query<Row>(sql, values);

const fillSql = `
  WITH made AS (
    SELECT $1::text AS tenant_id, 'evt_' || ulid_prefix(day::timestamp AT TIME ZONE 'UTC') || lpad(n::text, 16, '0') AS event_id, day, n
    FROM unnest($2::text[]) WITH ORDINALITY AS d (day, n)
  ), e AS (
    INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
    SELECT tenant_id, event_id, 'task.created', day::timestamptz, '{}' FROM made
  ), n AS (
    INSERT INTO event_numbers (tenant_id, number, event_id) SELECT tenant_id, n, event_id FROM made
  ), c AS (
    INSERT INTO event_counters (tenant_id, last_number) VALUES ($1, cardinality($2::text[]))
  ), d AS (
    INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, created_at)
    SELECT tenant_id, event_id, 'whk_1', 'dlv_' || n, 'delivered', day::timestamptz FROM made
  ), s AS (
    INSERT INTO session_batches (tenant_id, task_id, last_number, at, lease_id, agent_id, entries)
    SELECT tenant_id, 'tsk_1', n, day::timestamptz, 'lse_1', 'agt_1', '[{"kind":"text","text":"a"}]' FROM made
  ), m AS (
    INSERT INTO model_calls (tenant_id, lease_id, call_id, at, task_id, agent_id, role, model, source, state,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reservations)
    SELECT tenant_id, 'lse_1', n::text, day::timestamptz, 'tsk_1', 'agt_1', 'rd', 'm', 'proxy', 'closed', 1, 1, 0, 0, '[]'
    FROM made
  )
  INSERT INTO attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, outcome)
  SELECT tenant_id, event_id, 'whk_1', 1, day::timestamptz, 1, 'delivered' FROM made`;

/** An event a day with its number, a delivery and an attempt, an entry of a session, and a call to a model. */
const fill = (tenant: string, on: readonly string[] = days) => query(fillSql, [tenant, on]);

/** Makes the event of a day and of the first tenant pending for a consumer. */
const addUnconsumed = (day: string) =>
  query(
    `INSERT INTO outbox (tenant_id, event_id, consumer)
     SELECT tenant_id, event_id, 'event.fan_out' FROM events WHERE tenant_id = $1 AND occurred_at = $2::timestamptz`,
    [tenants[0], day],
  );
const open = (status: 'held' | 'pending', day: string) =>
  query(
    `UPDATE deliveries SET status = $3, next_attempt_at = CASE WHEN $3 = 'pending' THEN app_now() END
     WHERE tenant_id = $1 AND created_at = $2::timestamptz`,
    [tenants[0], day, status],
  );

type Line = Record<string, unknown> & { message: string };

/** Counts what is removed, and stores the log lines. */
function record() {
  const lines: Line[] = [];
  const write = (fields: Record<string, unknown>, message: string) => void lines.push({ message, ...fields });
  const logger: Logger = { error: write, warn: write, info: write, debug: write };
  const dropped: string[] = [];
  const batches: number[] = [];
  let unfinished = 0;
  const observer: RetentionObserver = {
    onMonthDropped: (table) => void dropped.push(table),
    onRowsDeleted: (_table, rows) => void batches.push(rows),
    onUnfinishedDropped: (deliveries) => void (unfinished += deliveries),
  };
  return { logger, observer, lines, dropped, batches, unfinished: () => unfinished };
}

const never = new AbortController().signal;
async function sweep(retention: HistoryRetention = defaults, db: Db = test.database.db, signal = never) {
  const recorded = record();
  await sweepHistory(db, { retention, signal, ...recorded });
  return recorded;
}

/** A run that finds a table in use for long ends, and a later one continues. */
async function sweepWhenFree(recorded: ReturnType<typeof record>): Promise<void> {
  const isDone = () =>
    sweepHistory(test.database.db, { retention: defaults, signal: never, ...recorded }).then(
      () => true,
      (error: Error) => {
        if (error.message.includes('lock timeout')) return false;
        throw error;
      },
    );
  await eventually(isDone);
}

/** The months that have partitions, and the days of rows of a tenant. */
async function stateOf(tenant = tenants[1]) {
  const state: Record<string, { months: string[]; days: string[] }> = {};
  for (const table of tables) {
    const parts = await query<{ month: string }>(
      `SELECT replace(right(relid::text, 7), '_', '-') AS month FROM pg_partition_tree($1::regclass)
       WHERE relid::text LIKE '%\\_2020\\_%' ORDER BY 1`,
      [table],
    );
    const names = { attempts: 'started_at', deliveries: 'created_at', events: 'occurred_at' };
    const at = { ...names, session_batches: 'at', model_calls: 'at' }[table];
    const rows = await query<{ day: string }>(
      `SELECT to_char(${at}, 'YYYY-MM-DD') AS day FROM ${table} WHERE tenant_id = $1 ORDER BY 1`,
      [tenant],
    );
    state[table] = { months: parts.map(({ month }) => month), days: rows.map(({ day }) => day) };
  }
  return { ...state, numbers: await numbersOf(tenant) };
}
const numbersOf = async (tenant = tenants[1]) =>
  (await query<{ number: number }>('SELECT number FROM event_numbers WHERE tenant_id = $1 ORDER BY 1', [tenant])).map(
    ({ number }) => number,
  );

const untouched = {
  ...Object.fromEntries(tables.map((table) => [table, { months, days }])),
  numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9],
};
const recent = { months: ['2020-11'], days: ['2020-10-25', '2020-11-10', '2020-12-15'] };
/** On 20 November deliveries from before 21 October and events from before 22 August are too old. */
const swept = {
  attempts: recent,
  deliveries: recent,
  events: { months: ['2020-08', '2020-09', '2020-11'], days: days.slice(3) },
  session_batches: recent,
  model_calls: { months: ['2020-08', '2020-09', '2020-11'], days: days.slice(3) },
  numbers: [4, 5, 6, 7, 8, 9],
};

describe('old history', () => {
  it('is removed by months, attempts before deliveries before events; in default partitions by rows', async () => {
    const { lines, dropped } = await sweep();
    expect(await stateOf(tenants[0])).toEqual(swept);
    expect(await stateOf(tenants[1])).toEqual(swept);
    const gone = lines.filter(({ message }) => message === 'month dropped');
    expect(gone.map(({ month, table }) => `${String(month)} ${String(table)}`)).toEqual([
      ...['2020-06 attempts', '2020-06 deliveries', '2020-06 events', '2020-06 session_batches', '2020-06 model_calls'],
      ...['2020-07 attempts', '2020-07 deliveries', '2020-07 events', '2020-07 session_batches', '2020-07 model_calls'],
      ...['2020-08 attempts', '2020-08 deliveries', '2020-08 session_batches'],
      ...['2020-09 attempts', '2020-09 deliveries', '2020-09 session_batches'],
    ]);
    expect(gone[0]).toEqual({
      message: 'month dropped',
      table: 'attempts',
      month: '2020-06',
      estimatedRows: expect.any(Number),
    });
    expect(dropped).toHaveLength(16);
    expect(lines.filter(({ message }) => message === 'old rows deleted')).toEqual([
      { message: 'old rows deleted', table: 'attempts', rows: 4 },
      { message: 'old rows deleted', table: 'deliveries', rows: 4 },
      { message: 'old rows deleted', table: 'events', rows: 2 },
      { message: 'old rows deleted', table: 'session_batches', rows: 4 },
      { message: 'old rows deleted', table: 'model_calls', rows: 2 },
      ...tenants.map(() => ({ message: 'old rows deleted', table: 'event_numbers', rows: 3 })),
    ]);
  });

  it('is kept when the limit is 0, or for as long as the limit of its table', async () => {
    const { lines } = await sweep({ eventDays: 0, deliveryDays: 0, sessionDays: 0, modelCallDays: 0 });
    expect([await stateOf(), lines]).toEqual([untouched, []]);
    await sweep({ eventDays: 0, deliveryDays: 30, sessionDays: 0, modelCallDays: 0 });
    const { events, session_batches, model_calls } = untouched as never;
    expect(await stateOf()).toEqual({ ...swept, events, session_batches, model_calls, numbers: untouched.numbers });
    await sweep({ eventDays: 90, deliveryDays: 0, sessionDays: 30, modelCallDays: 90 });
    expect(await stateOf()).toEqual(swept);
  });

  it('does not touch timelines', async () => {
    const [tenant] = tenants;
    await query(
      `INSERT INTO tasks (tenant_id, id, title, description, created_at, updated_at, rank)
       VALUES ($1, 'tsk_1', 't', 'd', '2020-03-15', '2020-03-15', '2020-03-15')`,
      [tenant],
    );
    await query(
      `INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
       VALUES ($1, 'tsk_1', 1, 'created', '2020-03-15', 'system', '{}')`,
      [tenant],
    );
    await sweep({ eventDays: 1, deliveryDays: 1, sessionDays: 1, modelCallDays: 1 });
    expect(await query('SELECT FROM task_timeline WHERE tenant_id = $1', [tenant])).toHaveLength(1);
  });

  it('is removed once when several processes remove it', async () => {
    const runs = [record(), record(), record()];
    await Promise.all(runs.map(sweepWhenFree));
    expect(await stateOf()).toEqual(swept);
    expect(runs.flatMap(({ dropped }) => dropped)).toHaveLength(16);
    const deleted = runs.flatMap(({ batches }) => batches);
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).toBe(22);
  });

  it('has the same result when it was interrupted after any statement', async () => {
    let cuts = 0;
    for (let isDone = false; !isDone;) {
      let left = cuts % 12;
      const cutOff: Db = {
        ...test.database.db,
        query: (sql, values, options) =>
          left-- > 0 ? test.database.db.query(sql, values, options) : Promise.reject(new Error('killed')),
      };
      isDone = await sweep(defaults, cutOff).then(
        () => true,
        () => false,
      );
      expect(await query(orphansSql)).toEqual([{ attempts: 0, deliveries: 0 }]);
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(8);
    await sweep();
    expect(await stateOf()).toEqual(swept);
  });

  const orphansSql = `
    SELECT (SELECT count(*) FROM attempts a WHERE NOT EXISTS (SELECT FROM deliveries d
        WHERE d.tenant_id = a.tenant_id AND d.event_id = a.event_id)) AS attempts,
      (SELECT count(*) FROM deliveries d WHERE NOT EXISTS (SELECT FROM events e
        WHERE e.tenant_id = d.tenant_id AND e.event_id = d.event_id)) AS deliveries`;

  it('is postponed while a table is in use, so that writes do not wait behind it', async () => {
    await test.database.inTransaction(await test.createTenant(), async (tx) => {
      await tx.db.query('LOCK TABLE attempts IN ROW EXCLUSIVE MODE');
      await expect(sweep()).rejects.toThrow('lock timeout');
    });
    expect(await stateOf()).toEqual(untouched);
    await sweep();
    expect(await stateOf()).toEqual(swept);
  });
});

describe('needed history', () => {
  it('includes the month of a pending event, and no other', async () => {
    await addUnconsumed('2020-07-31');
    const { lines } = await sweep();
    const events = { months: ['2020-07', '2020-08', '2020-09', '2020-11'], days: days.slice(2) };
    expect(await stateOf()).toEqual({ ...swept, events, numbers: [3, 4, 5, 6, 7, 8, 9] });
    const [kept] = lines.filter(({ message }) => message.startsWith('month kept'));
    expect(kept).toMatchObject({ table: 'events', month: '2020-07', tenantId: tenants[0], consumer: 'event.fan_out' });
    await query('DELETE FROM outbox');
    await sweep();
    expect(await stateOf()).toEqual(swept);
  });

  it('includes the months that a consumer has not read yet, which is due by the row of a later event', async () => {
    await addUnconsumed(days.at(-1) ?? '');
    await query(`INSERT INTO event_cursors VALUES ($1, 'facts.follow', 1)`, [tenants[0]]);
    const { lines } = await sweep();
    const [kept] = lines.filter(({ message }) => message.startsWith('month kept'));
    expect(kept).toMatchObject({ table: 'events', tenantId: tenants[0], consumer: 'facts.follow' });
    await query('DELETE FROM outbox');
    await query('DELETE FROM event_cursors');
    await sweep();
    expect(await stateOf()).toEqual(swept);
  });

  it('includes a pending event of the default partition, with its number', async () => {
    await addUnconsumed('2020-03-15');
    await sweep();
    expect(await stateOf(tenants[1])).toEqual(swept);
    const pending = await stateOf(tenants[0]);
    expect([pending['events' as never], pending.numbers]).toEqual([
      { months: swept.events.months, days: [days[0], ...days.slice(3)] },
      [1, 4, 5, 6, 7, 8, 9],
    ]);
  });

  it('includes an event that a consumer gave up on, and its number, but not its month', async () => {
    await addUnconsumed('2020-07-31');
    await query('UPDATE outbox SET dead_at = app_now()');
    const { lines } = await sweep();
    expect(lines.filter(({ message }) => message.startsWith('month kept'))).toEqual([]);
    expect(await stateOf(tenants[1])).toEqual(swept);
    const kept = { ...swept, events: { ...swept.events, days: days.slice(2) }, numbers: [3, 4, 5, 6, 7, 8, 9] };
    expect(await stateOf(tenants[0])).toEqual(kept);
    const found = await query<{ at: Date; place: string; data: object }>(
      `SELECT occurred_at AS at, tableoid::regclass::text AS place, data FROM events WHERE tenant_id = $1 ORDER BY 1 LIMIT 1`,
      [tenants[0]],
    );
    expect(found).toEqual([{ at: new Date('2020-07-31'), place: 'events_default', data: {} }]);
    await query('DELETE FROM outbox');
    await sweep();
    expect(await stateOf(tenants[0])).toEqual(swept);
  });

  it('includes the month of so many needed events that writes would wait long for them', async () => {
    await query(
      `INSERT INTO outbox (tenant_id, event_id, consumer, dead_at)
       SELECT $1, 'evt_' || ulid_prefix(timestamptz '2020-07-31') || lpad(n::text, 16, '0'), 'event.fan_out', app_now()
       FROM generate_series(1, 10001) AS n`,
      [tenants[0]],
    );
    const { lines } = await sweep();
    expect(lines).toContainEqual(expect.objectContaining({ table: 'events', month: '2020-07', dead: 10_001 }));
    expect((await stateOf())['events' as never]).toMatchObject({ months: ['2020-07', ...swept.events.months] });
  });

  it('is reported when unfinished deliveries are removed', async () => {
    await open('held', '2020-08-01');
    await open('pending', '2020-09-30');
    await open('held', '2020-10-10');
    const { lines, unfinished } = await sweep();
    expect(unfinished()).toBe(3);
    expect(lines.filter(({ message }) => message.includes('open deliveries'))).toEqual([
      expect.objectContaining({ month: '2020-08', table: 'deliveries', pending: 0, held: 1 }),
      expect.objectContaining({ month: '2020-09', table: 'deliveries', pending: 1, held: 0 }),
      expect.objectContaining({ table: 'deliveries', rows: 4, unfinished: 1 }),
    ]);
    expect(await stateOf()).toEqual(swept);
  });

  it('includes events of unfinished deliveries if deliveries are kept longer than events', async () => {
    await open('held', '2020-06-15');
    await open('pending', '2020-03-15');
    await sweep({ ...defaults, deliveryDays: 0 });
    const kept = await stateOf(tenants[0]);
    expect(kept['events' as never]).toEqual({
      months: swept.events.months,
      days: [days[0], days[1], ...days.slice(3)],
    });
  });
});

describe('removal row by row', () => {
  it('deletes everything in batches', async () => {
    const tenant = await test.createTenant();
    await fill(
      tenant,
      Array.from({ length: 2_500 }, () => '2020-02-01'),
    );
    const { batches } = await sweep();
    expect(await stateOf(tenant)).toMatchObject({ events: { days: [] }, attempts: { days: [] }, numbers: [] });
    expect(Math.max(...batches)).toBe(1_000);
  });

  it('ends when the process does', async () => {
    await sweep(defaults, test.database.db, AbortSignal.abort());
    expect(await stateOf()).toEqual(untouched);
  });

  it('does not read rows that stay', async () => {
    const tenant = await test.createTenant();
    await fill(tenant, [...days.slice(0, 1), ...Array.from({ length: 5_000 }, () => '2020-10-30')]);
    await query('VACUUM ANALYZE events, event_numbers');
    const ofEvents = await rowsReadBy({ database: test.database, tenantId: tenant }, ({ db }) =>
      deleteOldDefaults(db, 'events', 90),
    );
    expect(ofEvents['events']).toBeLessThan(50);
    const ofNumbers = await rowsReadBy({ database: test.database, tenantId: tenant }, ({ db }) =>
      deleteOldNumbers(db, tenant, -1, 'evt_'),
    );
    expect(ofNumbers['event_numbers']).toBeLessThan(1_100);
  });
});
