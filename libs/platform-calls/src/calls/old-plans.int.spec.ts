import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { claimNext, findDue, removeOldMessages, settleClaimed } from '@eas/outbound';
import { describeLateBacklog, useTestDatabase, type Works } from '@eas/testing';
import { callKind } from '../making/call-kind.ts';
import { type PlatformCall, platformApis, platformCalls } from './call-tables.ts';
import { readOwnComments, wantCalls, wantPullRequests } from './platform-call.store.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
const integrationId = newId('integration');

const call = (n: number) => ({ integrationId, kind: 'task', externalId: `y${n}`, key: '', payload: {} }) as const;
const pullRequest = (n: number) => ({ ...call(n), kind: 'pull_request', key: 'tsk_1' }) as const;
const calls = callKind({} as Parameters<typeof callKind>[0]);
const claimedCall = (externalId: string) => ({
  ...{ fence: 0, attempts: 0, destination: { integrationId: 'int_0', slotAt: new Date() } },
  message: { ...call(1), externalId } as unknown as PlatformCall,
});
const again = { outcome: '', state: 'waiting', isSlow: false } as const;
const done = { outcome: '', state: 'sent', isSlow: false } as const;
const tasks = Array.from({ length: batch }, (_, n) => ({ integrationRef: integrationId, externalId: `x${n + 1}` }));

const works: Works = [
  [
    'wanting calls',
    (scope) =>
      wantCalls(
        scope,
        Array.from({ length: batch }, (_, n) => call(n)),
      ),
  ],
  ['due APIs', ({ db }) => findDue(db, platformApis)],
  ['claiming a call', (scope) => claimNext(scope as Tx, calls, { integrationId })],
  ['comments of ours', (scope) => readOwnComments(scope, tasks)],
  ['wanting pull requests', (scope) => wantPullRequests(scope, [pullRequest(1)])],
  ['making a call again', (scope) => settleClaimed(scope as Tx, calls, claimedCall('x1'), again)],
  ['finishing a call', (scope) => settleClaimed(scope as Tx, calls, claimedCall('x2'), done)],
  ['a sweep of old calls', ({ db }) => removeOldMessages(db, platformCalls, 30)],
];

const fillSql = `
  INSERT INTO platform_calls (tenant_id, integration_id, kind, external_id, key, state, rank, due_at, created_at, finished_at)
   SELECT $1, $2, 'task', 'x' || n, '', CASE WHEN n % 2 = 0 THEN 'done' ELSE 'waiting' END, 1,
     CASE WHEN n % 2 = 1 THEN now() + interval '1 hour' - n * interval '1 second' END, now(), CASE WHEN n % 2 = 0 THEN now() END
   FROM generate_series(1, $3) AS n`;
const integrationSql = `
  INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at) VALUES ($1, $2, 'taskplatform', now(), now())`;
// What is settled was claimed.
const claimedSql = `INSERT INTO platform_apis (tenant_id, integration_id, slot_at) VALUES ($1, 'int_0', now())`;
const othersSql = `
  WITH others AS (
    INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at)
    SELECT $1, 'int_' || n, 'taskplatform', now(), now() FROM generate_series(1, $2) AS n RETURNING id
  )
  INSERT INTO platform_apis (tenant_id, integration_id, slot_at, due_at, slow_calls)
  SELECT $1, id, now(), now() + row_number() OVER () % 2 * interval '1 hour', row_number() OVER () % 4 FROM others`;

describeLateBacklog(test, {
  works,
  tables: ['platform_calls', 'platform_apis'],
  emptied: ['integrations'],
  async prepare(tenantId) {
    for (const id of [integrationId, 'int_0']) await test.database.db.query(integrationSql, [tenantId, id]);
    await test.database.db.query(claimedSql, [tenantId]);
  },
  async fill(tenantId) {
    await test.database.db.query(fillSql, [tenantId, integrationId, backlog]);
    await test.database.db.query(othersSql, [tenantId, backlog / 4]);
  },
  most: () => 2_000,
});
