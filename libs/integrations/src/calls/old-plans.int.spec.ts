import { newId } from '@eas/core';
import type { Database, Tx } from '@eas/db';
import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertClick, isAskedThere } from '../chat/clicks/chat-click.store.ts';
import { insertChatMessages, insertEdits } from '../chat/messages/chat-message.store.ts';
import {
  expireChatMessages,
  findDueChannels,
  removeOldChatMessages,
  removeOldClicks,
} from '../chat/posting/chat-channel.sweeper.ts';
import { claimChannel, settleMessage, wakeChannel } from '../chat/posting/chat-post.store.ts';
import {
  callAgain,
  finishCall,
  readOwnComments,
  releaseApi,
  wantCalls,
  wantPullRequests,
} from './platform-call.store.ts';
import { sweepOldCalls, takeCall } from './platform-call.sweeper.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
const tables = ['platform_calls', 'chat_messages', 'chat_clicks', 'chat_channels', 'platform_apis'];
const integrationId = newId('integration');
let tenantId = '';
let oneConnection: Database;

const channelKey = { integrationId, channel: 'c1' };
const call = (n: number) => ({ integrationId, kind: 'task', externalId: `y${n}`, key: '', payload: {} }) as const;
const pullRequest = (n: number) => ({ ...call(n), kind: 'pull_request', key: 'tsk_1' }) as const;
const first = (externalId: string) => ({ externalId, attempts: 0 });
const tasks = Array.from({ length: batch }, (_, n) => ({ integrationRef: integrationId, externalId: `x${n + 1}` }));
const messages = () =>
  Array.from({ length: batch }, () => ({
    id: newId('request'),
    integrationId,
    eventId: newId('event'),
    eventType: 'task.created',
    channel: 'c2',
    inputId: null,
  }));

const works: Works = [
  [
    'wanting calls',
    (scope) =>
      wantCalls(
        scope,
        Array.from({ length: batch }, (_, n) => call(n)),
      ),
  ],
  ['taking a call', (scope) => takeCall(scope as Tx, { busyTenants: [], isSlow: false })],
  ['taking a slow call', (scope) => takeCall(scope as Tx, { busyTenants: [], isSlow: true })],
  ['comments of ours', (scope) => readOwnComments(scope, tasks)],
  ['wanting pull requests', (scope) => wantPullRequests(scope, [pullRequest(1)])],
  ['making a call again', (scope) => callAgain(scope, { ...call(1), ...first('x1') }, { afterMs: 1, payload: {} })],
  ['finishing a call', (scope) => finishCall(scope, { ...call(1), ...first('x2') }, {})],
  ['releasing', (scope) => releaseApi(scope, { integrationId, fence: 1, pausedUntil: null, isSlow: false })],
  ['a sweep of old calls', ({ db }) => sweepOldCalls(db)],
  ['due channels', ({ db }) => findDueChannels(db)],
  ['expiring messages', ({ db }) => expireChatMessages(db)],
  ['removing old messages', ({ db }) => removeOldChatMessages(db, 30)],
  ['removing old clicks', ({ db }) => removeOldClicks(db)],
  ['claiming a channel', (scope) => claimChannel(scope, channelKey)],
  ['settling a message', (scope) => settleMessage(scope, 'm7', { state: 'posted', isCounted: true, error: null })],
  ['queueing messages', (scope) => insertChatMessages(scope, messages())],
  ['edits of a question', (scope) => insertEdits(scope, { integrationId, inputId: 'i7', responseUrl: null })],
  ['a question', (scope) => isAskedThere(scope, { integrationId, inputId: 'i9' })],
  ['a click', (scope) => insertClick(scope, { integrationId, signature: newId('request') })],
  ['waking a channel', (scope) => wakeChannel(scope, { ...channelKey, channel: 'c2' })],
];

const fillSql = [
  `INSERT INTO platform_calls (tenant_id, integration_id, kind, external_id, key, state, rank, due_at, created_at, finished_at)
   SELECT $1, $2, 'task', 'x' || n, '', CASE WHEN n % 2 = 0 THEN 'done' ELSE 'waiting' END, 1,
     CASE WHEN n % 2 = 1 THEN now() + interval '1 hour' - n * interval '1 second' END, now(), CASE WHEN n % 2 = 0 THEN now() END
   FROM generate_series(1, $3) AS n`,
  `INSERT INTO chat_channels (tenant_id, integration_id, channel, next_post_at, wake_at)
   SELECT $1, $2, 'd' || n, now(), CASE WHEN n % 100 = 0 THEN now() END FROM generate_series(1, $3) AS n`,
  `INSERT INTO chat_messages (tenant_id, id, integration_id, event_id, event_type, channel, input_id, state, created_at,
     settled_at, next_attempt_at)
   SELECT $1, 'm' || n, $2, 'evt_' || n, 'task.created', 'd' || n, 'i' || n,
     CASE WHEN n % 2 = 0 THEN 'posted' ELSE 'pending' END, now(), CASE WHEN n % 2 = 0 THEN now() END,
     CASE WHEN n % 2 = 1 THEN now() END FROM generate_series(1, $3) AS n`,
  `INSERT INTO chat_clicks (tenant_id, integration_id, signature, received_at)
   SELECT $1, $2, 's' || n, now() FROM generate_series(1, $3) AS n`,
];
const integrationSql = `
  INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at) VALUES ($1, $2, 'slack', now(), now())`;
const othersSql = `
  WITH others AS (
    INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at)
    SELECT $1, 'int_' || n, 'taskplatform', now(), now() FROM generate_series(1, $2) AS n RETURNING id
  )
  INSERT INTO platform_apis (tenant_id, integration_id, slot_at, due_at, slow_calls)
  SELECT $1, id, now(), now() + row_number() OVER () % 2 * interval '1 hour', row_number() OVER () % 4 FROM others`;

describe.each(emptyTables(tables))(
  'a backlog that came after the statements were planned for %s table',
  (_, vacuum) => {
    beforeAll(async () => {
      const { db } = test.database;
      await db.query(`TRUNCATE ${tables.join(', ')}, integrations CASCADE`);
      await db.query(vacuum);
      tenantId = await test.createTenant();
      await db.query(integrationSql, [tenantId, integrationId]);
      oneConnection = await planEarly(test.url, tenantId, works);
      for (const sql of fillSql) await db.query(sql, [tenantId, integrationId, backlog]);
      await db.query(othersSql, [tenantId, backlog / 4]);
    });
    afterAll(() => oneConnection.close());

    it.each(works)('%s reads no more than it needs', async (title, work) => {
      // A channel's messages may be found among all that wait, once.
      const most = title === 'queueing messages' ? backlog + 2_000 : 2_000;
      const read = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
      for (const table of tables) expect([table, Math.max(read[table] ?? 0, most)]).toEqual([table, most]);
    });
  },
);
