import { newId } from '@eas/core';
import type { Database } from '@eas/db';
import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readInboundRules, saveCallMark, saveResults, saveSightings, sweepSilence } from '@eas/integrations';
import {
  findByOwner,
  findByWebhookId,
  findOfAddress,
  findOfChat,
  findOfPlatform,
  findWithoutWebhookId,
} from './candidate.read-model.ts';

const test = useTestDatabase();
const tenants = 500;
const integrations = 5_000;
let tenantId = '';
let ids: string[] = [];
let oneConnection: Database;

const works: Works = [
  ['the platform’s webhook', (scope) => findByWebhookId(scope, ['w7', 'w57'])],
  ['a webhook that no integration names', (scope) => findByWebhookId(scope, ['none'])],
  ['integrations without a webhook', (scope) => findWithoutWebhookId(scope, [''])],
  ['integrations of the platform', (scope) => findOfPlatform(scope, [''])],
  ['an owner', (scope) => findByOwner(scope, ['owner 1', 'owner 51'])],
  ['an unknown owner', (scope) => findByOwner(scope, ['none'])],
  ['chats', (scope) => findOfChat(scope, [''])],
  ['the address of a platform', (scope) => findOfAddress('taskplatform')(scope, ids)],
  ['the address of a source host', (scope) => findOfAddress('github')(scope, ids)],
  ['the address of a chat', (scope) => findOfAddress('slack')(scope, ids)],
  ['the silence sweep', ({ db }) => sweepSilence(db)],
  ['rules of integrations', (scope) => readInboundRules(scope, ids)],
  [
    'results',
    (scope) =>
      saveResults(
        scope,
        ids.map((id) => ({ id, isApplied: true, errorReason: null })),
      ),
  ],
  [
    'sightings',
    ({ db }) =>
      saveSightings(
        db,
        ids.map((id) => ({ tenantId, id, receivedAt: new Date(), error: null })),
      ),
  ],
  ['an error of a call', (scope) => saveCallMark(scope, { id: ids[0] ?? '', error: 'api_denied', denied: 'no' })],
  ['a call that succeeded', (scope) => saveCallMark(scope, { id: ids[0] ?? '', error: null, denied: null })],
];

const tenantsSql = `
  INSERT INTO tenants SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id || '_' || n, 'slug', t.slug || '-' || n))).*
  FROM tenants t, generate_series(1, $2::int) AS n WHERE t.id = $1`;
// Each tenant has ten: four of the platform (one without a webhook), three of the source host, three chats.
const fillSql = `
  INSERT INTO integrations (tenant_id, id, type, webhook_id, config, secret, signing_secret, connected_at, updated_at,
    silence_check_at)
  SELECT CASE WHEN n <= 10 THEN $1 ELSE $1 || '_' || (n - 1) / 10 END,
    'int_' || ulid_prefix(now()) || lpad(n::text, 16, '0'),
    (ARRAY['taskplatform', 'taskplatform', 'taskplatform', 'taskplatform', 'github', 'github', 'github', 'slack', 'slack',
      'slack'])[1 + n % 10],
    CASE WHEN n % 10 IN (1, 2, 3) THEN 'w' || n END, jsonb_build_object('org_name', 'Owner ' || n / 10), 's',
    CASE WHEN n % 10 > 6 THEN 's' END, now(), now(),
    CASE WHEN n % 2 = 0 THEN now() + CASE WHEN n % 1000 = 0 THEN interval '-1 hour' ELSE interval '1 hour' END END
  FROM generate_series(1, $2::int) AS n RETURNING id`;

describe.each(emptyTables(['integrations']))(
  'thousands of integrations that came after the statements were planned for %s table',
  (_, vacuum) => {
    beforeAll(async () => {
      const { db } = test.database;
      await db.query('TRUNCATE integrations CASCADE');
      await db.query(vacuum);
      tenantId = await test.createTenant();
      ids = Array.from({ length: 10 }, () => newId('integration'));
      oneConnection = await planEarly(test.url, tenantId, works);
      await db.query(tenantsSql, [tenantId, tenants]);
      const rows = await db.query<{ id: string }>(fillSql, [tenantId, integrations]);
      ids = rows.slice(0, 10).map(({ id }) => id);
    });
    afterAll(() => oneConnection.close());

    it.each(works)('%s: read no more than they need', async (_title, work) => {
      const { integrations: read = 0 } = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
      expect(Math.max(read, 200)).toBe(200);
    });
  },
);
