import { newId } from '@eas/core';
import type { Database, Tx } from '@eas/db';
import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordAttempts } from '../sending/attempt.store.ts';
import { makeAttemptRow, makeEndpoint } from './delivery.fixture.ts';
import {
  claimDeliveries,
  holdDeliveries,
  insertDeliveries,
  postponeDeliveries,
  queueBacklog,
  queueNextOfTasks,
  releaseDeliveries,
} from './delivery.store.ts';
import { sweepDueDeliveries } from './delivery.sweeper.ts';
import { drainHeld, settleDrained, sweepProbes } from './held.sweeper.ts';
import { listSubscribers } from './subscriber.read-model.ts';

const test = useTestDatabase();
const backlog = 20_000;
let tenantId = '';
let endpointId = '';
let eventIds: string[] = [];
let oneConnection: Database;

const rows = () => ({ endpointId, eventIds, claimedUntil: new Date(0) });
const works: Works = [
  ['a fan-out', (scope) => listSubscribers(scope, ['*'])],
  [
    'the insert of deliveries',
    (scope) =>
      insertDeliveries(
        scope,
        eventIds.map((eventId) => ({
          id: newId('delivery'),
          eventId,
          endpointId,
          isQueued: false,
          isHeld: false,
          isOrdered: true,
        })),
      ),
  ],
  ['a claim', (scope) => claimDeliveries(scope, endpointId, eventIds, 1_000_000)],
  [
    'recording attempts',
    ({ db }) =>
      recordAttempts(
        db,
        eventIds.map((eventId) => makeAttemptRow({ tenantId, endpointId, eventId })),
      ),
  ],
  ['giving back', (scope) => releaseDeliveries(scope, rows())],
  ['holding', (scope) => holdDeliveries(scope, rows())],
  ['putting off', (scope) => postponeDeliveries(scope, rows(), { from: new Date(), gapMs: 10 })],
  ['the next of a backlog', (scope) => queueBacklog(scope as Tx, endpointId, 50)],
  ['the next of tasks', (scope) => queueNextOfTasks(scope, endpointId, ['tsk_1', 'tsk_2'])],
  ['a sweep of what is due', (scope) => sweepDueDeliveries(scope)],
  ['a sweep of probes', (scope) => sweepProbes(scope)],
  ['a sweep of what is held', (scope) => drainHeld(scope)],
  ['settling what has drained', (scope) => settleDrained(scope)],
];

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.commented', now(), '{"task_id": "tsk_1"}'
  FROM generate_series(1, $2) AS n RETURNING event_id`;
const deliveriesSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, created_at)
  SELECT $1, event_id, $2, 'dlv_' || event_id, 'pending', 0, app_now() - interval '1 minute', app_now()
  FROM events WHERE tenant_id = $1`;

describe.each(emptyTables(['deliveries', 'events']))(
  'a backlog that came after the statements were planned for %s table',
  (_state, vacuum) => {
    beforeAll(async () => {
      const { db } = test.database;
      await db.query('TRUNCATE deliveries, events');
      await db.query(vacuum);
      tenantId = await test.createTenant();
      endpointId = await makeEndpoint(test.context({ tenantId }), 'https://example.com');
      eventIds = Array.from({ length: 50 }, () => newId('event'));
      oneConnection = await planEarly(test.url, tenantId, works);
      const made = await db.query<{ event_id: string }>(eventsSql, [tenantId, backlog]);
      eventIds = made.slice(0, 50).map(({ event_id: id }) => id);
      await db.query(deliveriesSql, [tenantId, endpointId]);
    });
    afterAll(() => oneConnection.close());

    it.each(works)('%s reads no more than it needs', async (_title, work) => {
      const read = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
      expect(read['deliveries'] ?? 0).toBeLessThan(2_000);
      expect(read['events'] ?? 0).toBeLessThan(2_000);
    });
  },
);
