import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findTarget } from '../endpoints/endpoint.read-model.ts';
import { listSubscribers } from './subscriber.read-model.ts';
import { recordAttempts } from '../sending/attempt.store.ts';
import { claimDeliveries, insertDeliveries, queueBacklog, releaseDeliveries } from './delivery.store.ts';
import { makeAttemptRow, makeEndpoint } from './delivery.fixture.ts';
import { readDeliveryBacklog } from './delivery-state.sweeper.ts';
import { sweepDueDeliveries } from './delivery.sweeper.ts';
import { deadLetterHeld, drainHeld, sweepProbes } from './held.sweeper.ts';

const test = useTestDatabase();
const backlog = 100_000;
const endpoints: string[] = [];
let tenantId = '';
let eventIds: string[] = [];

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.commented', now(), '{}'
  FROM generate_series(1, $2) AS n RETURNING event_id`;
const deliveriesSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, created_at)
  SELECT $1, e.event_id, p.id, 'dlv_' || p.id || e.event_id, 'pending', 0, app_now() - interval '1 minute', app_now()
  FROM events e, unnest($2::text[]) AS p (id) WHERE e.tenant_id = $1`;

beforeAll(async () => {
  tenantId = await test.createTenant();
  const ctx = test.context({ tenantId });
  for (let n = 0; n < 10; n += 1) endpoints.push(await makeEndpoint(ctx, `https://example.com/${n}`));
  // The planner has the statistics from before the backlog.
  await test.database.db.query('VACUUM ANALYZE events');
  await test.database.db.query('VACUUM ANALYZE deliveries');
  const made = await test.database.db.query<{ event_id: string }>(eventsSql, [tenantId, backlog / endpoints.length]);
  eventIds = made.slice(0, 50).map((row) => row.event_id);
  await test.database.db.query(deliveriesSql, [tenantId, endpoints]);
});

const attempt = (eventId: string) => makeAttemptRow({ tenantId, endpointId: endpoints[0] as string, eventId });

describe.each(['with old statistics', 'with current statistics'])(
  'with a backlog of 100,000 deliveries, %s',
  (known) => {
    beforeAll(async () => {
      if (known !== 'with current statistics') return;
      await test.database.db.query('ANALYZE events');
      await test.database.db.query('ANALYZE deliveries');
    });
    const read = (work: Parameters<typeof rowsReadBy>[1]) => rowsReadBy({ database: test.database, tenantId }, work);
    const [endpointId, few] = [() => endpoints[0] as string, 500];

    it('a job reads only the deliveries that it sends', async () => {
      const rows = await read((scope) => claimDeliveries(scope, endpointId(), eventIds, 1_000_000));
      expect(rows['deliveries']).toBeLessThan(few);
      expect(rows['events']).toBeLessThan(few);
      expect((await read((scope) => findTarget(scope, endpointId())))['endpoints']).toBeLessThan(20);
    });

    it('an attempt reads only the deliveries that it records', async () => {
      const rows = await read(({ db }) => recordAttempts(db, eventIds.map(attempt)));
      expect(rows['deliveries']).toBeLessThan(few);
    });

    it('releasing deliveries and the next job of an endpoint read only the rows that they change', async () => {
      expect(
        (
          await read((scope) =>
            releaseDeliveries(scope, { endpointId: endpointId(), eventIds, claimedUntil: new Date() }),
          )
        )['deliveries'],
      ).toBeLessThan(few);
      expect((await read((scope) => queueBacklog(scope as Tx, endpointId(), 50)))['deliveries']).toBeLessThan(few);
    });

    it('a fan-out reads only the head of each backlog', async () => {
      const rows = await read((scope) => listSubscribers(scope, ['*']));
      expect(rows['deliveries']).toBeLessThanOrEqual(endpoints.length * 400);
      const delivery = {
        id: newId('delivery'),
        eventId: eventIds[0] as string,
        endpointId: endpointId(),
        isQueued: false,
        isHeld: false,
        isOrdered: false,
      };
      expect((await read((scope) => insertDeliveries(scope, [delivery])))['deliveries'] ?? 0).toBeLessThan(few);
    });

    it('a scrape reads only the head of due and held deliveries', async () => {
      expect((await read((scope) => readDeliveryBacklog(scope)))['deliveries']).toBeLessThanOrEqual(20_100);
    });

    it('probes and a recovery read only the head of held deliveries', async () => {
      const held = endpoints[1] as string;
      const holdSql = `
      UPDATE deliveries SET status = 'held', next_attempt_at = NULL, queued_until = NULL, sending_until = NULL
      WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending'`;
      await test.database.db.query(holdSql, [tenantId, held]);
      await test.database.db.query('UPDATE endpoints SET drains_since = app_now() WHERE id = $1', [held]);
      expect((await read((scope) => drainHeld(scope)))['deliveries'] ?? 0).toBeLessThan(few);
      const pauseSql = `UPDATE endpoints SET status = 'paused', probe_at = app_now() WHERE tenant_id = $1 AND id = $2`;
      await test.database.db.query(pauseSql, [tenantId, held]);
      expect((await read((scope) => sweepProbes(scope)))['deliveries'] ?? 0).toBeLessThan(few);
      expect((await read((scope) => deadLetterHeld(scope)))['deliveries'] ?? 0).toBeLessThan(few);
      expect((await read((scope) => readDeliveryBacklog(scope)))['deliveries']).toBeLessThanOrEqual(20_100);
    });

    it('a sweep reads only the head of each backlog', async () => {
      const rows = await read((scope) => sweepDueDeliveries(scope));
      expect(rows['deliveries']).toBeLessThanOrEqual(endpoints.length * 2_000);
    });
  },
);

describe('with 10,000 endpoints that wait for their next attempt', () => {
  const waitingSql = `
    INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, created_at)
    SELECT $1, $2, 'whk_' || n, 'dlv_w' || n, 'pending', 1, app_now() + interval '1 hour', app_now()
    FROM generate_series(1, 10000) AS n`;

  it('a sweep reads only due deliveries and their endpoints', async () => {
    const { db } = test.database;
    await db.query('DELETE FROM deliveries');
    await db.query(waitingSql, [tenantId, eventIds[0]]);
    await db.query(`UPDATE deliveries SET next_attempt_at = app_now() WHERE id IN ('dlv_w7', 'dlv_w700')`);
    await db.query('ANALYZE deliveries');
    const rows = await rowsReadBy({ database: test.database, tenantId }, async (scope) => {
      expect((await sweepDueDeliveries(scope)).length).toBe(2);
    });
    expect(rows['deliveries']).toBeLessThan(100);
  });
});
