import { createHmac } from 'node:crypto';
import { type CreateIntegrationBody, defaultTenantId } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, type Database, takePendingEvents, type UseCaseContext } from '@eas/db';
import { applyInboundEvents } from '../src/index.ts';
import { createIntegration } from '@eas/integrations';
import { createReceiver, receiveInboundEvent, type InboundRequest, type ReceiptOutcome } from '@eas/receiving';
import { sourceHostSource } from '@eas/source-host';
import { taskPlatformSource } from '@eas/task-platform';

/** What a scene needs of the test kit. */
type TestDatabase = {
  readonly database: Database;
  context(options?: { tenantId?: string }): UseCaseContext;
};

type Sending = {
  secret?: string;
  signature?: string;
  takesUnsigned?: boolean;
  headers?: InboundRequest['headers'];
  /** Sends to the address of this integration. */
  to?: string;
};

const hmacHex = (secret: string, raw: Buffer) => createHmac('sha256', secret).update(raw).digest('hex');

/** A receiver on the test database, and the tools to send to it and to apply what it took. */
export function inboundScene(test: TestDatabase) {
  const outcomes: ReceiptOutcome[] = [];
  const receiver = createReceiver({
    database: test.database,
    secrets: test.context().secrets,
    logger: test.context().logger,
    onReceipt: (_source, outcome) => void outcomes.push(outcome),
  });
  const rawOf = (body: object | Buffer) => (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  const lastOutcome = () => outcomes.at(-1);

  async function sendPlatform(body: object | Buffer, sending: Sending = {}) {
    const { secret, signature, takesUnsigned = false, to } = sending;
    const raw = rawOf(body);
    const signed = signature ?? (secret === undefined ? undefined : hmacHex(secret, raw));
    const headers = signed === undefined ? {} : { 'x-signature': signed };
    await receiveInboundEvent(receiver, taskPlatformSource, {
      raw,
      headers,
      takesUnsigned,
      ...(to ? { integrationId: to } : {}),
    });
    return lastOutcome();
  }

  async function sendSourceHost(event: string, body: object | Buffer, { secret, headers, to }: Sending = {}) {
    const raw = rawOf(body);
    const signed = secret === undefined ? {} : { 'x-hub-signature-256': `sha256=${hmacHex(secret, raw)}` };
    const all = { 'x-github-event': event, 'x-github-delivery': newId('request'), ...signed, ...headers };
    const own = to ? { integrationId: to } : {};
    await receiveInboundEvent(receiver, sourceHostSource, { raw, headers: all, takesUnsigned: false, ...own });
    return lastOutcome();
  }

  const connect = (tenantId: string, body: CreateIntegrationBody) =>
    createIntegration(test.context({ tenantId }), body);

  /** Applies what waits, as the consumer does: all of it in one transaction, or one by one. */
  async function apply(tenantId = defaultTenantId, { oneByOne = false } = {}) {
    const { database } = test;
    const owed = await database.db.query<{ id: string }>(
      `SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = 'inbound.apply' ORDER BY event_id`,
      [tenantId],
    );
    const batches = oneByOne ? owed.map(({ id }) => [id]) : [owed.map(({ id }) => id)];
    for (const ids of batches)
      await database.inTransaction(tenantId, async (tx) => {
        const events = await takePendingEvents(tx, 'inbound.apply', ids);
        await applyInboundEvents(contextInTransaction(test.context({ tenantId }), tx), events);
      });
  }

  const receipts = (tenantId = defaultTenantId) =>
    test.database.db.query<{
      event: string;
      status: string;
      outcome: string;
      repeats: number;
      ref: string;
      body: string;
    }>(
      `SELECT event, status, outcome, repeats, integration_ref AS ref, body FROM inbound_events
       WHERE tenant_id = $1 ORDER BY id`,
      [tenantId],
    );

  return { sendPlatform, sendSourceHost, connect, apply, receipts };
}

/** Everything that happened to the tasks of a tenant, and their versions; ids and moments are left out. */
export async function historyOf({ database }: TestDatabase, tenantId: string) {
  const rows = await database.db.query<{ version: number; entries: unknown[]; events: unknown[] }>(
    `SELECT t.version, t.timeline_seq AS seq, t.comment_count AS comments,
       (SELECT json_agg(json_build_array(e.seq, e.kind, e.data - 'edited_at' - 'deleted_at') ORDER BY e.seq)
        FROM task_timeline e WHERE e.tenant_id = $1 AND e.task_id = t.id) AS entries,
       (SELECT json_agg(json_build_array(e.event_type, shown.data) ORDER BY e.event_type, shown.data)
        FROM events e, LATERAL (SELECT e.data::jsonb - '{task_id,id,created_at,completion_time}'::text[] AS data) AS shown
        WHERE e.tenant_id = $1 AND e.data ->> 'task_id' = t.id) AS events,
       (SELECT json_agg(l.label ORDER BY l.label) FROM task_labels l WHERE l.tenant_id = $1 AND l.task_id = t.id) AS labels
     FROM tasks t WHERE t.tenant_id = $1 ORDER BY t.id`,
    [tenantId],
  );
  return rows;
}

/** The task that a platform's task is linked to, with its number of tasks, comments and status changes. */
export async function linkedTask(test: TestDatabase, tenantId: string, externalId: string) {
  const rows = await test.database.db.query<Record<string, unknown>>(
    `SELECT t.id, t.title, t.description, t.status, t.priority, t.due_date AS "dueDate", t.tags, t.metadata,
       t.assigned_role AS role, t.assigned_agent AS agent, t.is_held AS "isHeld", l.platform_status AS "platformStatus",
       (SELECT count(*)::int FROM tasks o WHERE o.tenant_id = $1 AND o.metadata ->> 'ticket_id' = $2) AS "tasks",
       (SELECT coalesce(json_agg(e.data ->> 'content' ORDER BY e.seq), '[]') FROM task_timeline e
        WHERE e.tenant_id = $1 AND e.task_id = t.id AND e.kind = 'comment' AND NOT e.data ? 'deleted_at') AS comments,
       (SELECT platform FROM platform_task_view p WHERE p.tenant_id = $1 AND p.task_id = t.id) AS platform
     FROM task_links l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id
     WHERE l.tenant_id = $1 AND l.external_id = $2`,
    [tenantId, externalId],
  );
  return rows[0];
}
