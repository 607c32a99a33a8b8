import { type DbScope, firstRowsSql, rowByKeySql, rowsByKeySql, type SealedTable, valuesOf } from '@eas/db';
import { wakeDestinations } from '@eas/outbound';
import { type ChatMessage, maxWaiting } from './chat-message.ts';
import { chatChannels } from './chat-tables.ts';

export type NewChatMessage = Pick<
  ChatMessage,
  'id' | 'integrationId' | 'eventId' | 'eventType' | 'channel' | 'inputId'
>;

const insertSql = `
  INSERT INTO chat_messages (tenant_id, id, integration_id, event_id, event_type, channel, input_id, next_attempt_at, created_at)
  SELECT $1, m.*, app_now(), app_now()
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS m
  ON CONFLICT (tenant_id, integration_id, event_id, channel, kind) DO NOTHING`;

const trimSql = `
  WITH surplus AS (
    SELECT w.id FROM unnest($2::text[], $3::text[]) AS c (integration_id, channel)
    ${firstRowsSql('w', {
      select: 'm.id',
      from: 'chat_messages m',
      where: `m.tenant_id = $1 AND m.integration_id = c.integration_id AND m.channel = c.channel
        AND m.state = 'pending' AND m.kind = 'post'`,
      orderBy: 'm.input_id IS NOT NULL DESC, m.event_id DESC',
      skip: maxWaiting,
      limit: 'ALL',
    })}
  ), trimmed AS (
    UPDATE chat_messages m SET state = 'skipped', last_error = 'too_many', next_attempt_at = NULL, settled_at = app_now()
    WHERE m.tenant_id = $1 AND m.id = ANY (ARRAY(SELECT id FROM surplus)) AND m.settled_at IS NULL
    RETURNING m.integration_id, m.channel
  )
  UPDATE chat_channels c SET skipped = c.skipped + t.count
  FROM (SELECT integration_id, channel, count(*)::int AS count FROM trimmed GROUP BY 1, 2) AS t
  WHERE c.tenant_id = $1 AND c.integration_id = t.integration_id AND c.channel = t.channel
  RETURNING t.count`;

/**
 * Adds messages, due at once; one that exists stays as it is. What is more than a channel keeps is left out, the oldest
 * first: gives how many. In a transaction.
 */
export async function insertChatMessages(
  { db, tenantId }: DbScope,
  messages: readonly NewChatMessage[],
): Promise<number> {
  await wakeDestinations({ db, tenantId }, chatChannels, messages);
  const fields = ['id', 'integrationId', 'eventId', 'eventType', 'channel', 'inputId'] as const;
  await db.query(insertSql, [tenantId, ...valuesOf(messages, fields)]);
  const trimmed = await db.query<{ count: number }>(trimSql, [tenantId, ...distinctChannels(messages)]);
  return trimmed.reduce((sum, { count }) => sum + count, 0);
}

function distinctChannels(messages: readonly Pick<NewChatMessage, 'integrationId' | 'channel'>[]): string[][] {
  const channels = new Map(messages.map((one) => [`${one.integrationId} ${one.channel}`, one]));
  return valuesOf([...channels.values()], ['integrationId', 'channel']);
}

const editSql = `
  INSERT INTO chat_messages (tenant_id, id, integration_id, event_id, event_type, channel, input_id, kind, posted_channel,
    posted_ts, response_url, next_attempt_at, created_at)
  SELECT $1, left(m.id, 4) || ulid_prefix(app_now()) || right(m.id, 16), m.integration_id, m.event_id, m.event_type, m.channel, m.input_id, 'edit',
    m.posted_channel, m.posted_ts, $4, app_now(), app_now()
  FROM unnest($2::text[]) AS i (id)
  ${rowsByKeySql('m', {
    from: 'chat_messages',
    where: `tenant_id = $1 AND integration_id = i.id AND input_id = $3 AND kind = 'post' AND state = 'posted'
      AND ((posted_ts IS NOT NULL AND NOT $5::boolean) OR (posted_ts IS NULL AND $4::text IS NOT NULL))`,
  })}
  ORDER BY m.id
  ON CONFLICT (tenant_id, integration_id, event_id, channel, kind) DO UPDATE SET state = 'pending', attempts = 0,
    next_attempt_at = app_now(), created_at = app_now(), settled_at = NULL, last_error = NULL,
    response_url = excluded.response_url
  RETURNING integration_id AS "integrationId", channel`;

// Before the messages, as a process that has posted one does: it sees the answer, or its message is seen here.
const lockSql = `
  SELECT c.integration_id AS "integrationId" FROM (
    SELECT DISTINCT m.integration_id, m.channel FROM integrations i
    ${rowsByKeySql('m', {
      select: 'p.integration_id, p.channel',
      from: 'chat_messages p',
      where: 'p.tenant_id = $1 AND p.integration_id = i.id AND p.input_id = $2',
    })}
    WHERE i.tenant_id = $1 AND i.type = 'slack' AND ($3::text IS NULL OR i.id = $3)
    ORDER BY m.integration_id, m.channel
  ) AS k
  ${rowByKeySql('c', {
    select: 'l.integration_id',
    from: 'chat_channels l',
    where: 'l.tenant_id = $1 AND l.integration_id = k.integration_id AND l.channel = k.channel',
    lock: 'FOR NO KEY UPDATE',
  })}`;

/**
 * Messages of a question: of one integration, or without it of all. `responseUrl`: where the chat takes a change of the
 * clicked message, which only this address can change if it was posted to a webhook_url; sealed by `responseUrlCell`.
 * `isOnlyClicked`: other messages stay as they are.
 */
export type QuestionEdit = {
  inputId: string;
  integrationId?: string;
  responseUrl?: string | null;
  isOnlyClicked?: boolean;
};

type Asked = { integrationId: string; inputId: string };

export const responseUrlCell = (tenantId: string, { integrationId, inputId }: Asked) => ({
  tenantId,
  table: 'chat_messages',
  column: 'response_url',
  rowId: `${integrationId}/${inputId}`,
});

/** What `reseal` seals again. */
export const sealedChatMessages: SealedTable<'response_url'> = {
  table: 'chat_messages',
  ids: ['id'],
  cellColumns: ['integration_id', 'input_id'],
  columns: ['response_url'],
  cellOf: (tenantId, [, integrationId = '', inputId = '']) => responseUrlCell(tenantId, { integrationId, inputId }),
};

/** Has the posted messages of a question show what became of it. In a transaction. */
export async function insertEdits({ db, tenantId }: DbScope, edit: QuestionEdit): Promise<void> {
  const { inputId, integrationId = null, responseUrl = null, isOnlyClicked = false } = edit;
  type Channel = { integrationId: string; channel: string };
  const locked = await db.query<Channel>(lockSql, [tenantId, inputId, integrationId]);
  if (locked.length === 0) return;
  const ids = [...new Set(locked.map((channel) => channel.integrationId))];
  const rows = await db.query<Channel>(editSql, [tenantId, ids, inputId, responseUrl, isOnlyClicked]);
  if (rows.length > 0) await wakeDestinations({ db, tenantId }, chatChannels, rows);
}
