import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { claimNext, expireMessages, findDue, removeOldMessages, settleClaimed, wakeDestinations } from '@eas/outbound';
import { describeLateBacklog, useTestDatabase, type Works } from '@eas/testing';
import { insertClick, isAskedThere } from '../clicks/chat-click.store.ts';
import { removeOldClicks } from '../clicks/chat-click.sweeper.ts';
import { insertChatMessages, insertEdits } from '../messages/chat-message.store.ts';
import { chatChannels, chatMessages, type ChatPost } from '../messages/chat-tables.ts';
import { chatKind } from './chat-kind.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
const integrationId = newId('integration');

const chat = chatKind({} as Parameters<typeof chatKind>[0]);
const channelKey = { integrationId, channel: 'd100' };
const claimedPost = {
  ...{ fence: 0, attempts: 1, message: { id: 'm7' } as ChatPost },
  destination: { integrationId, channel: 'c7', failures: 0, skipped: 0 },
};
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
  ['due channels', ({ db }) => findDue(db, chatChannels)],
  ['expiring messages', ({ db }) => expireMessages(db, chatMessages, 24)],
  ['removing old messages', ({ db }) => removeOldMessages(db, chatMessages, 30)],
  ['removing old clicks', ({ db }) => removeOldClicks(db)],
  ['claiming a channel', (scope) => claimNext(scope as Tx, chat, channelKey)],
  [
    'settling a message',
    (scope) => settleClaimed(scope as Tx, chat, claimedPost, { outcome: '', state: 'sent', isSlow: false }),
  ],
  ['queueing messages', (scope) => insertChatMessages(scope, messages())],
  ['edits of a question', (scope) => insertEdits(scope, { integrationId, inputId: 'i7', responseUrl: null })],
  ['a question', (scope) => isAskedThere(scope, { integrationId, inputId: 'i9' })],
  ['a click', (scope) => insertClick(scope, { integrationId, signature: newId('request') })],
  ['waking a channel', (scope) => wakeDestinations(scope, chatChannels, [{ ...channelKey, channel: 'c2' }])],
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
// What is settled was claimed.
const claimedSql = `
  INSERT INTO chat_channels (tenant_id, integration_id, channel, next_post_at) VALUES ($1, $2, 'c7', now())`;

describeLateBacklog(test, {
  works,
  tables: ['chat_messages', 'chat_clicks', 'chat_channels'],
  emptied: ['integrations'],
  async prepare(tenantId) {
    for (const sql of [integrationSql, claimedSql]) await test.database.db.query(sql, [tenantId, integrationId]);
  },
  async fill(tenantId) {
    for (const sql of fillSql) await test.database.db.query(sql, [tenantId, integrationId, backlog]);
  },
  // A channel's messages may be found among all that wait, once.
  most: (title) => (title === 'queueing messages' ? backlog + 2_000 : 2_000),
});
