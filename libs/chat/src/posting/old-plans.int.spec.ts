import { newId } from '@eas/core';
import type { Database } from '@eas/db';
import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertClick, isAskedThere } from '../clicks/chat-click.store.ts';
import { insertChatMessages, insertEdits } from '../messages/chat-message.store.ts';
import { expireChatMessages, findDueChannels, removeOldChatMessages, removeOldClicks } from './chat-channel.sweeper.ts';
import { claimChannel, settleMessage, wakeChannel } from './chat-post.store.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
const tables = ['chat_messages', 'chat_clicks', 'chat_channels'];
const integrationId = newId('integration');
let tenantId = '';
let oneConnection: Database;

const channelKey = { integrationId, channel: 'c1' };
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
