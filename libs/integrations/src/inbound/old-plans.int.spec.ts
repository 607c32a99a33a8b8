import { newId } from '@eas/core';
import type { Database, Tx } from '@eas/db';
import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { saveResults, saveSightings } from '../integrations/integration-health.store.ts';
import { readInboundRules } from '../integrations/integration.read-model.ts';
import { readPlatformObjects, savePlatformObjects } from '../platform/platform-object.store.ts';
import { sweepOldTombstones } from '../platform/platform-object.sweeper.ts';
import { readTaskLinks } from '../platform/task-link.store.ts';
import { readLinkedTasks } from '../reporting/linked-task.read-model.ts';
import { sweepOldPullRequests } from '../source-host/pull-request.sweeper.ts';
import { lockReceipts, setReceived } from './receive-again.store.ts';
import { insertInboundEvents, readReceiptSizes, settleReceipts, takeWaitingReceipts } from './inbound-event.store.ts';
import { findReceipt } from './receipt.read-model.ts';
import { sweepInboundBodies } from './inbound-body.sweeper.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
let tenantId = '';
let ids: string[] = [];
let eventIds: string[] = [];
let integrationIds: string[] = [];
let oneConnection: Database;

const newReceipts = () =>
  Array.from({ length: batch }, (_, n) => ({
    id: newId('inboundEvent'),
    tenantId,
    source: 'taskplatform' as const,
    integrationRef: integrationIds[n] ?? 'int_1',
    event: 'taskUpdated',
    externalId: `x${n}`,
    dedupeKey: n % 2 === 0 ? newId('request') : `key ${n}`,
    body: Buffer.from('{}'),
    receivedAt: new Date(),
    status: 'received' as const,
  }));
const links = () => integrationIds.map((integrationRef, n) => ({ integrationRef, externalId: `x${n + 1}` }));
const objects = () => links().map((link) => ({ ...link, kind: 'list' }));

const works: Works = [
  ['receiving', ({ db }) => insertInboundEvents(db, newReceipts(), () => {})],
  ['the sizes of receipts', (scope) => readReceiptSizes(scope, eventIds)],
  ['taking receipts', (scope) => takeWaitingReceipts(scope, ids)],
  [
    'settling',
    (scope) =>
      settleReceipts(
        scope,
        ids.map((id) => ({ id, status: 'applied', outcome: 'done' })),
      ),
  ],
  ['reading one', (scope) => findReceipt(scope, ids[7] ?? '')],
  ['locking for a replay', (scope) => lockReceipts(scope as Tx, ids)],
  ['setting back', (scope) => setReceived(scope, ids)],
  ['removing bodies', ({ db }) => sweepInboundBodies(db, 30, new AbortController().signal)],
  ['links of tasks', (scope) => readTaskLinks(scope, links())],
  ['links by task', (scope) => readLinkedTasks(scope, ['tsk_1'])],
  ['copies of things', (scope) => readPlatformObjects(scope, objects())],
  [
    'saving copies',
    (scope) =>
      savePlatformObjects(
        scope,
        objects().map((key) => ({ ...key, data: {}, fieldDates: {}, updatedAt: new Date() })),
      ),
  ],
  ['a sweep of tombstones', ({ db }) => sweepOldTombstones(db, 90)],
  ['a sweep of pull requests', ({ db }) => sweepOldPullRequests(db, 90)],
  ['rules of integrations', (scope) => readInboundRules(scope, integrationIds)],
  [
    'results',
    (scope) =>
      saveResults(
        scope,
        integrationIds.map((id) => ({ id, isApplied: true, errorReason: null })),
      ),
  ],
  [
    'sightings',
    ({ db }) =>
      saveSightings(
        db,
        integrationIds.map((id) => ({ tenantId, id, receivedAt: new Date(), error: null })),
      ),
  ],
];

const idSql = (prefix: string) => `'${prefix}_' || ulid_prefix(now()) || lpad(n::text, 16, '0')`;
const integrationsSql = `
  INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at)
  SELECT $1, ${idSql('int')}, 'taskplatform', now(), now()
  FROM generate_series(1, $2) AS n RETURNING id`;
const receiptsSql = `
  INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, external_id, dedupe_key, body, received_at,
    status)
  SELECT $1, ${idSql('inb')}, 'taskplatform', ($2::text[])[1 + n % ${batch}], 'taskUpdated', 'x' || n, 'key ' || n, '{}',
    now(), 'received'
  FROM generate_series(1, $3) AS n RETURNING id`;
const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, ${idSql('evt')}, 'inbound.received', now(), json_build_object('inbound_event_id', ${idSql('inb')})
  FROM generate_series(1, $2) AS n RETURNING event_id AS id`;
const tasksSql = `
  INSERT INTO tasks (tenant_id, id, title, description, tags, created_at, updated_at, rank, timeline_seq)
  SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', '{}', now(), now(), now(), 1 FROM generate_series(1, $2) AS n`;
const linksSql = `
  INSERT INTO task_links (tenant_id, integration_ref, external_id, task_id, created_at)
  SELECT $1, ($2::text[])[1 + n % ${batch}], 'x' || n, 'tsk_' || lpad(n::text, 26, '0'), now()
  FROM generate_series(1, $3) AS n`;
const objectsSql = `
  INSERT INTO platform_objects (tenant_id, integration_ref, kind, external_id, data, updated_at, needed_at)
  SELECT $1, ($2::text[])[1 + n % ${batch}], 'list', 'x' || n, '{}', now(), CASE WHEN n % 2 = 0 THEN now() END FROM generate_series(1, $3) AS n`;
const pullRequestsSql = `
  WITH made AS (
    INSERT INTO pull_requests (tenant_id, integration_ref, repository, number, created_at)
    SELECT $1, ($2::text[])[1 + n % ${batch}], 'acme/web', n, now() - n % 1000 / 999 * interval '91 days'
    FROM generate_series(1, $3) AS n RETURNING *
  )
  INSERT INTO pull_request_stages (tenant_id, integration_ref, repository, number, stage, at, data)
  SELECT tenant_id, integration_ref, repository, number, 'opened', now(), '{}' FROM made`;

const tables = ['inbound_events', 'events', 'task_links', 'platform_objects', 'pull_requests', 'pull_request_stages'];

describe.each(emptyTables(tables))(
  'a backlog that came after the statements were planned for %s table',
  (_, vacuum) => {
    beforeAll(async () => {
      const { db } = test.database;
      await db.query(`TRUNCATE ${tables.join(', ')}, tasks, integrations CASCADE`);
      await db.query(vacuum);
      tenantId = await test.createTenant();
      ids = Array.from({ length: batch }, () => newId('inboundEvent'));
      eventIds = Array.from({ length: batch }, () => newId('event'));
      integrationIds = Array.from({ length: batch }, () => newId('integration'));
      oneConnection = await planEarly(test.url, tenantId, works);
      const firstIds = (rows: { id: string }[]) => rows.slice(0, batch).map(({ id }) => id);
      integrationIds = firstIds(await db.query(integrationsSql, [tenantId, batch]));
      ids = firstIds(await db.query(receiptsSql, [tenantId, integrationIds, backlog]));
      eventIds = firstIds(await db.query(eventsSql, [tenantId, backlog]));
      await db.query(tasksSql, [tenantId, backlog]);
      for (const sql of [linksSql, objectsSql, pullRequestsSql])
        await db.query(sql, [tenantId, integrationIds, backlog]);
    });
    afterAll(() => oneConnection.close());

    it.each(works)('%s reads no more than it needs', async (_title, work) => {
      const read = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
      for (const table of tables) expect([table, Math.max(read[table] ?? 0, 500)]).toEqual([table, 500]);
    });
  },
);
