import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { describeLateBacklog, useTestDatabase, type Works } from '@eas/testing';
import { readInboundRules, saveResults, saveSightings } from '@eas/integrations';
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

describeLateBacklog(test, {
  works,
  tables: ['inbound_events', 'events'],
  emptied: ['integrations'],
  async prepare(id) {
    tenantId = id;
    ids = Array.from({ length: batch }, () => newId('inboundEvent'));
    eventIds = Array.from({ length: batch }, () => newId('event'));
    integrationIds = Array.from({ length: batch }, () => newId('integration'));
  },
  async fill() {
    const { db } = test.database;
    const firstIds = (rows: { id: string }[]) => rows.slice(0, batch).map(({ id }) => id);
    integrationIds = firstIds(await db.query(integrationsSql, [tenantId, batch]));
    ids = firstIds(await db.query(receiptsSql, [tenantId, integrationIds, backlog]));
    eventIds = firstIds(await db.query(eventsSql, [tenantId, backlog]));
  },
  most: () => 500,
});
