import { createTaskBody } from '@eas/contracts';
import { createTask } from '@eas/tasks';
import { contextOn, type UseCases } from './use-cases.ts';

const tenantId = 'tnt_backlog';
const eventSql = `SELECT event_id AS id FROM events WHERE tenant_id = $1 AND event_type = 'task.created' LIMIT 1`;
const copySql = `
  WITH copied AS (
    INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data, facts)
    SELECT e.tenant_id, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), event_type, occurred_at, data, facts
    FROM events e, generate_series($3::int, $4::int) AS n WHERE e.tenant_id = $1 AND e.event_id = $2
    RETURNING tenant_id, event_id
  )
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at)
  SELECT tenant_id, event_id, consumer, app_now() FROM copied, unnest('{event.fan_out,task.plan,facts.record}'::text[]) AS consumer`;

/** Copies the event of another tenant's task: `events` pending rows for each of its consumers. */
export async function fillOutbox({ database }: UseCases, events: number): Promise<void> {
  const ctx = contextOn(database, tenantId);
  await ctx.db.query('INSERT INTO tenants (id, slug, name) VALUES ($1, $1, $1) ON CONFLICT DO NOTHING', [tenantId]);
  await createTask(ctx, createTaskBody.parse({ title: 'Copied', description: 'Often.' }));
  const [event] = await ctx.db.query<{ id: string }>(eventSql, [tenantId]);
  for (let from = 1; from <= events; from += 50_000)
    await ctx.db.query(copySql, [tenantId, event?.id, from, Math.min(events, from + 49_999)]);
}
