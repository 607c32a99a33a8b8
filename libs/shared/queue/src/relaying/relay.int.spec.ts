import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultTenantId } from '@eas/contracts';
import { contextInTransaction, readEventsAfter, readServerState } from '@eas/db';
import { eventually, outboxDrained, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import {
  appendPullRequests,
  appendReceipts,
  createEffects,
  effectCounts,
  recordEffects,
  startInboundWorker,
} from '../consuming/consumer.fixture.ts';
import type { RelayOptions } from './relay-options.ts';
import { type Relay, startRelay } from './relay.ts';
import type { QueueWorker } from '../consuming/worker.ts';

const testDatabase = useTestDatabase();
const testQueues = useQueues(testDatabase);
const relays: Relay[] = [];
const workers: QueueWorker[] = [];

function relay(options: Partial<RelayOptions> = {}): void {
  relays.push(
    startRelay({ database: testDatabase.database, queues: testQueues.queues, logger: silentLogger, ...options }),
  );
}

async function worker(): Promise<void> {
  const options = {
    makeContext: ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
      testDatabase.context({ tenantId, signal }),
    concurrency: 3,
    logger: silentLogger,
  };
  workers.push(await startInboundWorker(testQueues.queues, recordEffects, options));
}

const query = <Row extends object>(text: string) => testDatabase.database.db.query<Row>(text);
const receipts = (count: number) => Array.from({ length: count }, (_, index) => `receipt ${index}`);

async function expectEachOnce(ids: string[]): Promise<void> {
  const counts = await effectCounts(testDatabase.context());
  expect([...counts.keys()].sort()).toEqual([...ids].sort());
  expect(new Set(counts.values())).toEqual(new Set([1]));
}

/** As the default tenant's first endpoint would. */
const subscribe = () => query(`INSERT INTO subscribed_tenants VALUES ('${defaultTenantId}')`);

/** All rows are marked as sent, which happens just before they are sent. */
async function allSent(): Promise<void> {
  await eventually(async () => (await query('SELECT FROM outbox WHERE sent_at IS NULL LIMIT 1')).length === 0);
}

const waiting = async () => (await testQueues.queues.depths())['workflow']?.waiting;

beforeAll(() => createEffects(testDatabase.context()));
beforeEach(async () => {
  await query('TRUNCATE effects, outbox, event_numbers, event_counters, subscribed_tenants');
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((one) => one.stop()));
  await Promise.all(workers.splice(0).map((one) => one.drain(3_000)));
  await testQueues.wipe();
});

describe('the relay', () => {
  it('delivers committed events of all tenants to their consumers once', async () => {
    await worker();
    relay();
    relay();
    const tenants = [await testDatabase.createTenant(), await testDatabase.createTenant()];
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      for (const tenantId of tenants)
        ids.push(...(await appendReceipts(testDatabase.context({ tenantId }), receipts(7))));
    }
    await outboxDrained(testDatabase.database);
    await expectEachOnce(ids);
  });

  it('skips events of a consumer that only another release has, and sends all others', async () => {
    const [later, ...ids] = await appendReceipts(testDatabase.context(), receipts(3));
    await query(`UPDATE outbox SET consumer = 'another.release' WHERE event_id = '${later}'`);
    await worker();
    relay();
    const readPending = () => query('SELECT event_id, sent_at FROM outbox');
    await eventually(async () => (await readPending()).length === 1);
    expect(await readPending()).toEqual([{ event_id: later, sent_at: null }]);
    await expectEachOnce(ids);
  });

  it('numbers public events per tenant without a gap, and none appears late to a reader', async () => {
    relay({ pollMs: 5 });
    relay({ pollMs: 5 });
    const tenants = [await testDatabase.createTenant(), await testDatabase.createTenant()];
    const seen = new Map<string, number>();
    let isReading = true;
    const reading = (async () => {
      while (isReading) {
        const rows = await query<{ tenant: string; last: number; count: number }>(
          'SELECT tenant_id AS tenant, max(number) AS last, count(*) AS count FROM event_numbers GROUP BY tenant_id',
        );
        for (const { tenant, last, count } of rows) {
          expect(count).toBe(last);
          seen.set(tenant, last);
        }
      }
    })();
    const writes = Array.from({ length: 80 }, (_, round) =>
      appendPullRequests(testDatabase.context({ tenantId: tenants[round % 2] ?? '' }), 1 + (round % 5)),
    );
    await Promise.all(writes);
    await appendReceipts(testDatabase.context(), ['internal']);
    await allSent();
    isReading = false;
    await reading;

    for (const tenantId of tenants) {
      const numbers = await testDatabase.database.db.query<{ number: number }>(
        'SELECT number FROM event_numbers WHERE tenant_id = $1 ORDER BY number',
        [tenantId],
      );
      const written = (await Promise.all(writes)).filter((_, round) => tenants[round % 2] === tenantId).flat();
      expect(numbers.map(({ number }) => number)).toEqual(written.map((_, index) => index + 1));
    }
    expect(await query('SELECT FROM event_counters')).toHaveLength(2);
  });

  it('numbers and sends events next to a transaction that stays open for an hour, whose own follow its commit', async () => {
    const { database } = testDatabase;
    await subscribe();
    await worker();
    relay();
    const [begun, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = testDatabase.context();
    const late = open.inTransaction(async (tx) => {
      await appendPullRequests(contextInTransaction(open, tx), 1);
      await tx.db.query('SELECT pg_current_xact_id()');
      begun.resolve();
      await committed.promise;
    });
    await begun.promise;
    await testDatabase.shiftClock(3_600);
    expect((await readServerState(database.db)).oldestSeconds.session).toBeGreaterThan(0);
    const numbers = () => query<{ number: number }>('SELECT number FROM event_numbers ORDER BY number');
    const ids = await appendReceipts(testDatabase.context(), receipts(3));
    await appendPullRequests(testDatabase.context(), 2);
    await eventually(async () => (await effectCounts(testDatabase.context())).size === 3);
    await expectEachOnce(ids);
    await eventually(async () => (await numbers()).length === 2);
    committed.resolve();
    await late;
    await eventually(async () => (await numbers()).length === 3);
    expect((await numbers()).map(({ number }) => number)).toEqual([1, 2, 3]);
    await testDatabase.shiftClock(0);
  });

  it('gives numbers to the last integer that readers hold exactly, and each is read', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    await query(`INSERT INTO event_counters (tenant_id, last_number) VALUES ('${defaultTenantId}', ${last - 2})`);
    await subscribe();
    const [earlier, later] = await appendPullRequests(testDatabase.context(), 2);
    relay();
    await allSent();
    const scope = { db: testDatabase.database.db, tenantId: defaultTenantId };
    const readAfter = async (number: number) => {
      const { events, to } = await readEventsAfter(scope, number, ['pr.opened']);
      return [events.map(({ eventId }) => eventId), to];
    };
    expect(await readAfter(last - 2)).toEqual([[earlier, later], last]);
    expect(await readAfter(last - 1)).toEqual([[later], last]);
    expect(await readAfter(last)).toEqual([[], last]);
  });

  it('sends events of another tenant while one with a long backlog waits for capacity in the queue', async () => {
    const [long, short] = [await testDatabase.createTenant(), await testDatabase.createTenant()];
    const counted = async (tenantId: string) => {
      const [row] = await testDatabase.database.db.query<{ sent: number; unsent: number }>(
        `SELECT count(sent_at)::int AS sent, count(*) FILTER (WHERE sent_at IS NULL)::int AS unsent FROM outbox
         WHERE tenant_id = $1`,
        [tenantId],
      );
      return row;
    };
    await appendReceipts(testDatabase.context({ tenantId: long }), receipts(20_000));
    relay();
    await eventually(async () => Number((await counted(long))?.sent) >= 4_000);
    await appendReceipts(testDatabase.context({ tenantId: short }), receipts(3));
    await eventually(async () => (await counted(short))?.unsent === 0);
    expect((await counted(long))?.unsent).toBeGreaterThan(10_000);
  });

  it('keeps the numbers of events while their consumer cannot be queued', async () => {
    let failures = 0;
    const unreliable: RelayOptions['queues'] = {
      depths: testQueues.queues.depths,
      async send(sends) {
        failures += 1;
        if (failures <= 2) throw new Error('the store is away');
        await testQueues.queues.send(sends);
      },
    };
    await subscribe();
    await appendPullRequests(testDatabase.context(), 10);
    relay({ queues: unreliable });
    await eventually(async () => failures === 3 && (await testQueues.queues.depths())['webhooks']?.waiting === 1);
    expect(await query('SELECT last_number AS last FROM event_counters')).toEqual([{ last: 10 }]);
    expect(await query('SELECT FROM event_numbers')).toHaveLength(10);
  });

  it('numbers the events of a transaction together, and queues those of subscribers for more consumers', async () => {
    const tenantId = await testDatabase.createTenant();
    await subscribe();
    await appendPullRequests(testDatabase.context({ tenantId }), 3);
    await appendPullRequests(testDatabase.context(), 2);
    relay();
    await allSent();
    expect(
      await query('SELECT tenant_id AS tenant, count(*)::int AS n FROM event_numbers GROUP BY 1 ORDER BY 2'),
    ).toEqual([
      { tenant: defaultTenantId, n: 2 },
      { tenant: tenantId, n: 3 },
    ]);
    const rowsSql = `SELECT tenant_id AS tenant, consumer, count(*)::int AS n FROM outbox GROUP BY 1, 2 ORDER BY 2, 1`;
    expect(await query(rowsSql)).toEqual([
      { tenant: defaultTenantId, consumer: 'facts.follow', n: 1 },
      { tenant: tenantId, consumer: 'facts.follow', n: 1 },
      { tenant: defaultTenantId, consumer: 'fan_out.follow', n: 1 },
      { tenant: defaultTenantId, consumer: 'plan.follow', n: 1 },
      { tenant: tenantId, consumer: 'plan.follow', n: 1 },
      { tenant: defaultTenantId, consumer: 'tell.follow', n: 1 },
    ]);
  });

  it('numbers and sends the events of the release before, which have a row each', async () => {
    await appendPullRequests(testDatabase.context(), 3);
    await query(
      `WITH old AS (DELETE FROM outbox RETURNING tenant_id, event_ids)
       INSERT INTO outbox (tenant_id, event_id, consumer) SELECT tenant_id, unnest(event_ids), 'event.fan_out' FROM old`,
    );
    relay();
    await allSent();
    expect(await query('SELECT FROM event_numbers')).toHaveLength(3);
    expect(await query(`SELECT FROM outbox WHERE consumer = 'event.fan_out' AND sent_at IS NOT NULL`)).toHaveLength(3);
    await eventually(async () => (await testQueues.queues.depths())['webhooks']?.waiting === 1);
  });

  it('numbers events whose row another release has marked as sent, which it cannot do', async () => {
    await appendPullRequests(testDatabase.context(), 3);
    await query(`UPDATE outbox SET sent_at = app_now() - interval '1 minute'`);
    relay({ resendEveryMs: 50 });
    await eventually(async () => (await query('SELECT FROM event_numbers')).length === 3);
  });

  it('resends what a wiped store lost while no worker ran', async () => {
    relay({ resendAfterMs: 300, resendEveryMs: 50 });
    const ids = await appendReceipts(testDatabase.context(), receipts(1_200));
    await allSent();
    await testQueues.wipe();
    await worker();
    await outboxDrained(testDatabase.database);
    await expectEachOnce(ids);
  });

  it('continues when the store is wiped while a worker waits or runs a job', async () => {
    await worker();
    relay({ resendAfterMs: 300, resendEveryMs: 50 });
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      await testQueues.wipe();
      ids.push(...(await appendReceipts(testDatabase.context(), receipts(50))));
      if (round % 2) await testQueues.wipe();
      else await outboxDrained(testDatabase.database);
    }
    await outboxDrained(testDatabase.database);
    await expectEachOnce(ids);
  });

  it('does not double the jobs of a queue that is merely deep', async () => {
    const payload = { tenant_id: 'tnt_x', event_ids: ['evt_x'] };
    await testQueues.queues.send(Array.from({ length: 150 }, () => ({ job: 'inbound.apply' as const, payload })));
    await appendReceipts(testDatabase.context(), receipts(10));
    relay({ resendAfterMs: 100, resendEveryMs: 20 });
    await eventually(async () => (await waiting()) === 151);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await waiting()).toBe(151);
  });

  it('resends nothing while its queue is full', async () => {
    const payload = { tenant_id: 'tnt_x', event_ids: ['evt_x'] };
    await testQueues.queues.send(Array.from({ length: 1_000 }, () => ({ job: 'inbound.apply' as const, payload })));
    await appendReceipts(testDatabase.context(), receipts(10));
    relay({ resendAfterMs: 10, resendEveryMs: 20 });
    await eventually(async () => (await waiting()) === 1_001);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await waiting()).toBe(1_001);
  });

  it('does not touch the outbox while the store is unavailable', async () => {
    const { depths } = testQueues.queues;
    let isAway = true;
    let sends = 0;
    let checks = 0;
    const away = async () => {
      if (isAway) throw new Error('the store is away');
    };
    const queues: RelayOptions['queues'] = {
      depths: () => ((checks += 1), away().then(depths)),
      send: (jobs) => ((sends += 1), away().then(() => testQueues.queues.send(jobs))),
    };
    await appendReceipts(testDatabase.context(), receipts(10));
    relay({ queues, pollMs: 5 });
    await eventually(() => checks >= 3);
    expect(sends).toBe(1);
    isAway = false;
    await allSent();
    await eventually(() => sends > 1);
    expect(sends).toBe(2);
  });

  it('tries a postponed event again when its time has come, not before', async () => {
    const [id = ''] = await appendReceipts(testDatabase.context(), ['bad at first']);
    // The ninth try, after which it waits for minutes.
    await query('UPDATE outbox SET attempts = 8');
    await worker();
    relay();
    const postponed = () => query('SELECT FROM outbox WHERE attempts = 9 AND last_error IS NOT NULL');
    await eventually(async () => (await postponed()).length === 1);
    await testDatabase.database.db.query(
      `UPDATE events SET data = '{"inbound_event_id":"good now"}' WHERE event_id = $1`,
      [id],
    );
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await postponed()).toHaveLength(1);
    await testDatabase.shiftClock(310);
    await outboxDrained(testDatabase.database);
    await testDatabase.shiftClock(0);
    await expectEachOnce([id]);
  });

  it('sends rows, sent before or not, that a clock three hours ahead had postponed, once the clock is set back', async () => {
    const ids = await appendReceipts(testDatabase.context(), receipts(3));
    await query(`UPDATE outbox SET available_at = app_now() + interval '3 hours'`);
    await query(`UPDATE outbox SET sent_at = app_now() + interval '3 hours' WHERE event_id = '${ids[0]}'`);
    await worker();
    relay({ resendEveryMs: 50, resendAfterMs: 100 });
    await outboxDrained(testDatabase.database);
    await expectEachOnce(ids);
  });
});
