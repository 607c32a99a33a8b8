import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closeTenantUsage } from './measure-tenant.ts';
import { closesAt, month, useMonth } from './used-month.fixture.ts';
import { countUsageRows } from './usage-count.store.ts';

const test = useTestDatabase();
const used = useMonth(test);
const { measure, months, moveTo, sentEvents } = used;

beforeEach(async () => {
  await used.begin();
  await moveTo('2026-03-01T00:00:00Z');
});
afterAll(() => test.shiftClock(0));

/** Until there is no more to count. */
async function measureAll(): Promise<void> {
  while (await measure());
}

describe('the usage of a month', () => {
  it('has what the roll-ups, the numbers of events and the rows of the month have, and nothing of other months', async () => {
    await used.deliver('2026-02-28T23:59:59.999Z', { status: 'delivered' });
    await used.deliver('2026-03-01T00:00:00Z', { status: 'delivered', attempts: 2 });
    await used.deliver('2026-03-31T23:59:59.999Z', { status: 'dead', attempts: 10 });
    await used.receive('2026-03-15T12:00:00Z');
    await used.completeTasks('2026-03-31T00:00:00Z', 7);
    await used.completeTasks('2026-04-01T00:00:00Z', 5);
    for (const at of ['2026-02-27', '2026-03-02', '2026-03-30', '2026-04-01']) await used.number(`${at}T10:00:00Z`);
    await used.query(
      `INSERT INTO analytics_usage (tenant_id, dimension, grain, at, key, calls, input_tokens, cost) VALUES
       ($1, 'all', 'day', '2026-03-02', '', 1, 1000, 50), ($1, 'all', 'hour', '2026-03-02', '', 1, 1000, 50),
       ($1, 'all', 'day', '2026-03-03', '', 0, -400, -20), ($1, 'model', 'day', '2026-03-02', 'm', 1, 1000, 50),
       ($1, 'all', 'day', '2026-04-01', '', 1, 9, 9)`,
    );
    await measure();
    await moveTo('2026-04-02T00:00:00Z');
    await measureAll();
    const [april, march] = await months();
    expect(march).toMatchObject({ month, closed: false, events: 2, deliveries: 2, delivered: 1, attempts: 12 });
    expect(march).toMatchObject({
      inbound_events: 1,
      tasks_created: 7,
      tasks_completed: 7,
      input_tokens: 600,
      cost: 30,
    });
    expect(april).toMatchObject({ month: '2026-04', events: 1, deliveries: 0, tasks_created: 5, input_tokens: 9 });
  });

  it('is counted exactly once, whatever comes late, is settled later and is measured at the same time', async () => {
    const step = fc.record({
      day: fc.integer({ min: 1, max: 31 }),
      endpoints: fc.integer({ min: 1, max: 3 }),
      settles: fc.option(fc.nat(20)),
      then: fc.constantFrom('nothing', 'measure', 'measure twice', 'receive', 'number'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await used.begin();
        await moveTo('2026-03-01T00:00:00Z');
        await measure();
        const made: string[] = [];
        let known = 0;
        for (const { day, endpoints, settles, then } of steps) {
          // Days come in any order: what is written late has an earlier id than what is counted already.
          const at = new Date(Date.UTC(2026, 2, day, 12)).toISOString();
          for (let endpoint = 0; endpoint < endpoints; endpoint += 1)
            made.push(await used.deliver(at, { endpoint: `whk_${endpoint}` }));
          if (settles !== null && made[settles]) await used.settle(made[settles], 'delivered');
          if (then === 'receive') await used.receive(at);
          if (then === 'number') await used.number(at);
          await moveTo(at);
          if (then === 'measure') await measure();
          if (then === 'measure twice') await Promise.all([measure(), measure()]);
          const [shown] = await months();
          expect(Number(shown?.['deliveries'])).toBeGreaterThanOrEqual(known);
          expect(Number(shown?.['deliveries'])).toBeLessThanOrEqual(made.length);
          known = Number(shown?.['deliveries']);
        }
        await moveTo(closesAt);
        await Promise.all([measure(), measure(), measure()]);
        const closed = (await months()).find((one) => one['month'] === month);
        const [rows] = await used.query(
          `SELECT true AS closed, (SELECT count(*) FROM inbound_events WHERE tenant_id = $1) AS inbound_events,
             coalesce((SELECT last_number FROM event_counters WHERE tenant_id = $1), 0) AS events,
             count(*) AS deliveries, count(*) FILTER (WHERE status = 'delivered') AS delivered,
             coalesce(sum(attempts), 0) AS attempts FROM deliveries WHERE tenant_id = $1`,
        );
        expect(closed).toMatchObject({ ...rows });
        expect(await sentEvents()).toHaveLength(1);
      }),
      { numRuns: 15 },
    );
  });

  it('counts each event in one month, also those that got their numbers out of order', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 89 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(times, async (days) => {
        await used.begin();
        await moveTo('2026-03-01T00:00:00Z');
        await measure();
        // Numbers are given nearly in the order of ids.
        for (const day of days.sort((a, b) => a - b + (a % 3) - (b % 3)))
          await used.number(new Date(Date.UTC(2026, 2, 1 + day, 12)).toISOString());
        await moveTo('2026-07-01T00:00:00Z');
        await measureAll();
        const counted = (await months()).map((one) => Number(one['events']));
        expect(counted).toHaveLength(5);
        expect(counted.reduce((sum, events) => sum + events, 0)).toBe(days.length);
      }),
      { numRuns: 15, examples: [[[3, 2]]] },
    );
  });

  it('keeps what was counted when the rows are removed before it is closed', async () => {
    await used.deliver('2026-03-01T00:00:00Z', { status: 'delivered', attempts: 1 });
    await used.number('2026-03-01T00:00:00Z');
    await measure();
    await moveTo('2026-03-02T00:00:00Z');
    await measure();
    for (const table of ['deliveries', 'event_numbers']) await used.query(`DELETE FROM ${table} WHERE tenant_id = $1`);
    await moveTo(closesAt);
    await measure();
    const closed = (await months()).find((one) => one['month'] === month);
    expect(closed).toMatchObject({ closed: true, deliveries: 1, delivered: 1, attempts: 1, events: 1 });
  });

  it('has deliveries when they are 15 minutes old, as no transaction with an earlier one is open then', async () => {
    await used.deliver('2026-03-02T12:00:00Z');
    await moveTo('2026-03-02T12:14:00Z');
    await measure();
    expect((await months())[0]).toMatchObject({ deliveries: 0 });
    await moveTo('2026-03-02T12:16:00Z');
    await measure();
    expect((await months())[0]).toMatchObject({ deliveries: 1 });
  });

  it('is not written while nothing changes', async () => {
    await used.deliver('2026-03-01T00:00:00Z');
    await moveTo('2026-03-02T00:00:00Z');
    await measure();
    // xmax: of the transaction that locked the row last.
    const versions = () =>
      used.query(`SELECT xmin::text, xmax::text FROM tenant_usage WHERE tenant_id = $1
        UNION ALL SELECT xmin::text, xmax::text FROM tenant_usage_counts WHERE tenant_id = $1`);
    const before = await versions();
    expect(before).toHaveLength(2);
    await measure();
    expect(await versions()).toEqual(before);
  });

  it('is measured for each month since the last one, also when no aggregator ran', async () => {
    await measure();
    await used.completeTasks('2026-05-02T00:00:00Z', 3);
    await moveTo('2026-06-10T00:00:00Z');
    await measure();
    const seen = (await months()).map((one) => [one['month'], one['closed'], one['tasks_created']]);
    expect(seen).toEqual([
      ['2026-06', false, 0],
      ['2026-05', true, 3],
      ['2026-04', true, 0],
      ['2026-03', true, 0],
    ]);
    expect((await sentEvents()).map((one) => one['month'])).toEqual(['2026-05']);
  });
});

describe('the usage of a suspended tenant', () => {
  it('is measured and closed like that of others', async () => {
    await measure();
    await used.query(`UPDATE tenants SET suspended_at = app_now(), suspended_reason = 'unpaid' WHERE id = $1`);
    await used.receive('2026-03-30T00:00:00Z');
    await moveTo(closesAt);
    await measure();
    expect((await months()).at(-1)).toMatchObject({ month, closed: true, inbound_events: 1 });
    expect(await sentEvents()).toHaveLength(1);
  });
});

describe('the first month of a tenant', () => {
  it.each([
    ['in which it was created, when it is measured later', '2026-03-31T23:59:00Z', ['2026-04', '2026-03']],
    ['in which usage was measured first, when it is older', '2020-01-01T00:00:00Z', ['2026-04', '2026-03']],
    ['that is current, when its creation is in the future of the clock', '2027-01-01T00:00:00Z', ['2026-04']],
  ])('is the one %s', async (_, createdAt, expected) => {
    await test.database.db.query(`DELETE FROM tenant_usage WHERE month < '2026-03-01'`);
    await measure();
    await used.begin();
    await used.query('UPDATE tenants SET created_at = $2 WHERE id = $1', [createdAt]);
    await moveTo('2026-04-03T00:00:00Z');
    await measure();
    expect((await months()).map((one) => one['month'])).toEqual(expected);
  });
});

describe('a closed month', () => {
  const closed = async () => (await months()).find((one) => one['month'] === month);
  beforeEach(async () => {
    await measure();
    await used.completeTasks('2026-03-03T00:00:00Z', 2);
    await used.deliver('2026-03-04T00:00:00Z', { status: 'delivered', attempts: 1 });
  });

  it('is closed four days after its end, with one event for the operator', async () => {
    await moveTo('2026-04-04T23:59:00Z');
    await measure();
    expect(await closed()).toMatchObject({ closed: false });
    expect(await sentEvents()).toEqual([]);
    await moveTo(closesAt);
    await measure();
    expect(await closed()).toMatchObject({ closed: true, tasks_created: 2, deliveries: 1 });
    const [event] = await sentEvents();
    expect(event).toMatchObject({
      tenant_id: used.tenantId(),
      month,
      tasks_created: 2,
      deliveries: 1,
      storage_bytes: null,
    });
  });

  it('has one event when several processes close it at once', async () => {
    await moveTo(closesAt);
    await Promise.all(Array.from({ length: 6 }, () => measure()));
    await measure();
    expect(await sentEvents()).toHaveLength(1);
  });

  it('does not change by facts that come later, and they count in no other month', async () => {
    await moveTo(closesAt);
    await measure();
    const before = await closed();
    await used.completeTasks('2026-03-03T00:00:00Z', 9);
    await used.deliver('2026-03-05T00:00:00Z');
    await measure();
    expect(await closed()).toEqual(before);
    const [april] = await months();
    expect(april).toMatchObject({ month: '2026-04', tasks_created: 0, deliveries: 0 });
    expect(await sentEvents()).toHaveLength(1);
  });

  it('is refused by the database to any statement that changes it', async () => {
    await moveTo(closesAt);
    await measure();
    await expect(used.query('UPDATE tenant_usage SET events = 9 WHERE tenant_id = $1')).rejects.toThrow(/is closed/);
  });

  it('waits for consumers that have not handled its events, but not for events that they gave up on', async () => {
    await used.number('2026-03-31T10:00:00Z');
    const insert = (consumer: string, deadAt: string) =>
      used.query(
        `INSERT INTO outbox (tenant_id, event_id, consumer, dead_at)
         SELECT $1, event_id, $2, ${deadAt} FROM event_numbers WHERE tenant_id = $1`,
        [consumer],
      );
    await insert('facts.record', 'app_now()');
    await insert('chat.question', 'NULL');
    await insert('usage.record', 'NULL');
    await moveTo(closesAt);
    await measure();
    expect(await closed()).toMatchObject({ closed: false });
    await used.query(`DELETE FROM outbox WHERE tenant_id = $1 AND consumer = 'usage.record'`);
    await used.query(`INSERT INTO event_cursors VALUES ($1, 'facts.follow', 0)`);
    await measure();
    expect(await closed()).toMatchObject({ closed: false });
    await used.query('UPDATE event_cursors SET number = 1 WHERE tenant_id = $1');
    await measure();
    expect(await closed()).toMatchObject({ closed: true });
  });

  it('of a tenant without usage has no event', async () => {
    await used.begin();
    await moveTo('2026-03-01T00:00:00Z');
    await measure();
    await moveTo(closesAt);
    await measure();
    expect(await closed()).toMatchObject({ closed: true });
    expect(await sentEvents()).toEqual([]);
  });
});

describe('the usage of a tenant that is deleted', () => {
  const closeAll = () => test.database.inTransaction('', (tx) => closeTenantUsage(tx, used.tenantId()));

  it('is closed at once, with an event for each open month, and none for what is closed', async () => {
    await measure();
    await used.completeTasks('2026-03-03T00:00:00Z', 2);
    await used.completeTasks('2026-04-01T00:00:00Z', 1);
    await moveTo('2026-04-02T00:00:00Z');
    await Promise.all([closeAll(), closeAll()]);
    await closeAll();
    expect((await sentEvents()).map((event) => [event['month'], event['tasks_created']])).toEqual([
      ['2026-03', 2],
      ['2026-04', 1],
    ]);
    expect((await months()).map((one) => one['closed'])).toEqual([true, true]);
  });

  it('is left alone when its rows are removed already', async () => {
    await used.query('UPDATE tenants SET removed_at = now() WHERE id = $1');
    await used.deliver('2026-02-28T00:00:00Z');
    await closeAll();
    expect(await months()).toEqual([]);
    expect(await used.query('SELECT FROM tenant_usage_counts WHERE tenant_id = $1')).toEqual([]);
  });
});

describe('rows of a large tenant', () => {
  it('are read once as they come, some thousand at a time, with all deliveries of an event together', async () => {
    await measure();
    await used.query(
      `INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, created_at)
       SELECT $1, 'evt_' || ulid_prefix(timestamptz '2026-03-02Z' + n / 10 * interval '1 s') || lpad((n / 10)::text, 16, '0'),
         'whk_' || n % 10, 'dlv_' || n, 'delivered', 1, '2026-03-02Z' FROM generate_series(0, 11999) AS n`,
    );
    await moveTo('2026-03-09T00:00:00Z');
    await test.database.db.query('ANALYZE deliveries');
    const read = async () => {
      const rows = await rowsReadBy({ database: test.database, tenantId: used.tenantId() }, ({ db }) =>
        countUsageRows({ db, tenantId: used.tenantId() }, { month: `${month}-01`, pass: 1 }),
      );
      return rows['deliveries'] ?? 0;
    };
    expect(await read()).toBeLessThan(5_100);
    expect(await measure()).toBe(true);
    expect(await measure()).toBe(false);
    expect((await months())[0]).toMatchObject({ deliveries: 12_000, delivered: 12_000 });
    expect(await read()).toBe(0);
  });

  it('of one event are counted together, however many there are', async () => {
    await measure();
    await used.query(
      `INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, created_at)
       SELECT $1, 'evt_' || ulid_prefix('2026-03-02Z') || lpad((n / 6000)::text, 16, '0'), 'whk_' || n, 'dlv_' || n, 'held', now()
       FROM generate_series(0, 6005) AS n`,
    );
    await moveTo('2026-03-09T00:00:00Z');
    await measureAll();
    expect((await months())[0]).toMatchObject({ deliveries: 6_006, delivered: 0 });
  });
});
