import type { DbScope } from '@eas/db';
import type { ChatMessage } from '../messages/chat-message.ts';

/** Longer than a request can take. Afterwards the process that claimed counts as dead. */
const claimMs = 30_000;

type ChannelKey = { integrationId: string; channel: string };

/** A message that this process alone posts now. Its secrets are sealed. */
export type ClaimedPost = ChannelKey &
  Pick<ChatMessage, 'id' | 'eventId' | 'kind' | 'attempts' | 'inputId'> & {
    eventType: string;
    postedChannel: string | null;
    postedTs: string | null;
    responseUrl: string | null;
    data: Record<string, unknown> | null;
  };

/** A claimed channel. `claim` fences what is written of it later. */
export type ClaimedChannel = ChannelKey & {
  claim: number;
  failures: number;
  skipped: number;
  isOver: boolean;
  webhookUrl: string | null;
  token: string | null;
  isInteractive: boolean;
  post: ClaimedPost | null;
};

const claimSql = `
  WITH claimed AS (
    UPDATE chat_channels c SET claims = c.claims + 1, next_post_at = app_now() + interval '${claimMs} milliseconds',
      wake_at = app_now() + interval '${claimMs} milliseconds'
    WHERE c.tenant_id = $1 AND c.integration_id = $2 AND c.channel = $3 AND c.wake_at <= app_now()
      AND c.stopped_reason IS NULL
    RETURNING c.*
  )
  SELECT c.claims AS claim, c.failures, c.skipped, i.status = 'disconnected' OR i.deleted_at IS NOT NULL AS "isOver",
    i.secret AS "webhookUrl", i.token, i.signing_secret IS NOT NULL AS "isInteractive", m.id, m.event_id AS "eventId",
    m.event_type AS "eventType", m.kind, m.attempts, m.posted_channel AS "postedChannel", m.posted_ts AS "postedTs",
    m.response_url AS "responseUrl", m.input_id AS "inputId", e.data
  FROM claimed c JOIN integrations i ON i.tenant_id = $1 AND i.id = c.integration_id
  LEFT JOIN LATERAL (
    SELECT * FROM chat_messages p WHERE p.tenant_id = $1 AND p.integration_id = $2 AND p.channel = $3
      AND p.state = 'pending' AND p.next_attempt_at <= app_now()
    ORDER BY p.kind = 'edit' DESC, p.event_id LIMIT 1
  ) AS m ON true
  LEFT JOIN events e ON e.tenant_id = $1 AND e.event_id = m.event_id`;

type Row = Omit<ClaimedChannel, 'post' | keyof ChannelKey> &
  Omit<ClaimedPost, 'id' | keyof ChannelKey> & { id: string | null };

/** Claims a channel that is due, with what is to be posted first. Undefined: another process was faster. */
export async function claimChannel({ db, tenantId }: DbScope, key: ChannelKey): Promise<ClaimedChannel | undefined> {
  const [row] = await db.query<Row>(claimSql, [tenantId, key.integrationId, key.channel]);
  if (!row) return undefined;
  const { claim, failures, skipped, isOver, webhookUrl, token, isInteractive, id, ...post } = row;
  const channel = { ...key, claim, failures, skipped, isOver, webhookUrl, token, isInteractive };
  return { ...channel, post: id === null ? null : { ...key, ...post, id } };
}

const leaveSql = `
  UPDATE chat_channels SET next_post_at = app_now() + $5 * interval '1 millisecond', failures = $6,
    skipped = greatest(skipped - $7, 0), wake_at = NULL
  WHERE tenant_id = $1 AND integration_id = $2 AND channel = $3 AND claims = $4 RETURNING claims`;

/** How a claimed channel goes on: nothing before `pauseMs`; `reported` messages left out are in the posted message. */
export type ChannelRest = { pauseMs: number; failures: number; reported: number };

/** Gives a claimed channel back. False: the claim is lost, and nothing more may be written under it. */
export async function leaveChannel(
  { db, tenantId }: DbScope,
  { integrationId, channel, claim }: ChannelKey & { claim: number },
  { pauseMs, failures, reported }: ChannelRest,
): Promise<boolean> {
  const values = [tenantId, integrationId, channel, claim, pauseMs, failures, reported];
  return (await db.query(leaveSql, values)).length > 0;
}

const wakeSql = `
  UPDATE chat_channels c SET wake_at = (
    SELECT greatest(c.next_post_at, min(m.next_attempt_at)) FROM chat_messages m
    WHERE m.tenant_id = $1 AND m.integration_id = $2 AND m.channel = $3 AND m.state = 'pending' HAVING count(*) > 0)
  WHERE c.tenant_id = $1 AND c.integration_id = $2 AND c.channel = $3 AND c.stopped_reason IS NULL`;

/** Has a channel that was left found again when its next message is due. */
export async function wakeChannel({ db, tenantId }: DbScope, { integrationId, channel }: ChannelKey): Promise<void> {
  await db.query(wakeSql, [tenantId, integrationId, channel]);
}

const settleSql = `
  UPDATE chat_messages SET state = $3, attempts = attempts + $4, last_error = $5, posted_channel = coalesce($6, posted_channel),
    posted_ts = coalesce($7, posted_ts), next_attempt_at = CASE WHEN $3 = 'pending' THEN app_now() + $8 * interval '1 millisecond' END,
    settled_at = CASE WHEN $3 <> 'pending' THEN app_now() END,
    response_url = CASE WHEN $3 = 'pending' THEN response_url END
  WHERE tenant_id = $1 AND id = $2 AND settled_at IS NULL`;

/** What becomes of a message. `retryMs`: of a pending one, when it is tried again. */
export type Settlement = {
  state: ChatMessage['state'];
  isCounted: boolean;
  error: string | null;
  posted?: { channel?: string; ts?: string };
  retryMs?: number;
};

export async function settleMessage(
  { db, tenantId }: DbScope,
  id: string,
  { state, isCounted, error, posted, retryMs = 0 }: Settlement,
): Promise<void> {
  const values = [state, isCounted ? 1 : 0, error, posted?.channel ?? null, posted?.ts ?? null, retryMs];
  await db.query(settleSql, [tenantId, id, ...values]);
}

const dropSql = `
  UPDATE chat_messages SET state = 'skipped', last_error = 'disconnected', next_attempt_at = NULL, settled_at = app_now(),
    response_url = NULL
  WHERE tenant_id = $1 AND integration_id = $2 AND channel = $3 AND state = 'pending'`;

/** Ends what waits for a channel of an integration that was switched off or deleted. */
export async function dropMessages({ db, tenantId }: DbScope, { integrationId, channel }: ChannelKey): Promise<void> {
  await db.query(dropSql, [tenantId, integrationId, channel]);
}
