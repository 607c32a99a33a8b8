import { defaultTenantId } from '@eas/contracts';
import { contextInTransaction, type Database, type Db, takePendingEvents, type UseCaseContext } from '@eas/db';
import { applyInboundEvents } from '@eas/task-sync';
import { readReceiptSizes } from '@eas/receiving';

const batchSize = 100;
const ref = 'int_bench';
const body = `json_build_object('event', 'taskUpdated', 'task_id', 'x' || n, 'webhook_id', 'hook', 'history_items',
  json_build_array(json_build_object('id', n, 'date', '1642734925064', 'field', 'name', 'after', 'Name ' || n)))`;
const id = (prefix: string) => `'${prefix}_' || ulid_prefix(now()) || lpad(n::text, 16, '0')`;

/** The even ones wait, the others were applied: all are about a task of their own. */
const fillSql = [
  `INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, external_id, dedupe_key, body, received_at,
     status, settled_at)
   SELECT $1, ${id('inb')}, 'taskplatform', '${ref}', 'taskUpdated', 'x' || n, 'key ' || n, ${body}, now(),
     CASE WHEN n % 2 = 0 THEN 'received' ELSE 'applied' END, CASE WHEN n % 2 = 1 THEN now() END`,
  `INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
   SELECT $1, ${id('evt')}, 'inbound.received', now(), json_build_object('inbound_event_id', ${id('inb')})`,
  `INSERT INTO outbox (tenant_id, event_id, consumer, available_at, sent_at)
   SELECT $1, ${id('evt')}, 'inbound.apply', now(), now()`,
  `INSERT INTO tasks (tenant_id, id, title, description, tags, created_at, updated_at, rank, timeline_seq)
   SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', '{}', now(), now(), now(), 1`,
  `INSERT INTO task_links (tenant_id, integration_ref, external_id, task_id, created_at)
   SELECT $1, '${ref}', 'x' || n, 'tsk_' || lpad(n::text, 26, '0'), now()`,
];

/** In one transaction, so that ids begin with the same moment. */
export async function fillReceipts(database: Database, { from, size }: { from: number; size: number }): Promise<void> {
  await database.inTransaction(defaultTenantId, async ({ db }) => {
    for (const sql of fillSql)
      await db.query(`${sql} FROM generate_series($2::int + 1, $3::int) AS n`, [defaultTenantId, from, size]);
  });
}

const pendingSql = `
  SELECT o.event_id AS id FROM outbox o JOIN events e USING (tenant_id, event_id)
  JOIN inbound_events i ON i.tenant_id = o.tenant_id AND i.id = e.data ->> 'inbound_event_id'
  WHERE o.tenant_id = $1 AND i.status = 'received' ORDER BY o.event_id LIMIT ${batchSize}`;

/** What the consumer does with the oldest receipts. */
export async function applyBatch(ctx: UseCaseContext, db: Db): Promise<void> {
  const ids = (await db.query<{ id: string }>(pendingSql, [ctx.tenantId])).map(({ id }) => id);
  await ctx.inTransaction(async (tx) => {
    await readReceiptSizes(tx, ids);
    await applyInboundEvents(contextInTransaction(ctx, tx), await takePendingEvents(tx, 'inbound.apply', ids));
  });
}
