import type { TestDatabase } from '@eas/testing';
import { measureTenant } from './measure-tenant.ts';

/** The month of the tests, and when it is closed. */
export const month = '2026-03';
export const closesAt = '2026-04-05T00:00:00Z';

type Figures = Record<string, number | string | null>;

/** Rows of one tenant at a time, with ids of the times that the test names. */
export function useMonth(test: TestDatabase) {
  let tenantId = '';
  let rows = 0;
  const query = <R extends object>(sql: string, values: readonly unknown[] = []) =>
    test.database.db.query<R>(sql, [tenantId, ...values]);
  const idSql = (prefix: string, at: string) =>
    `'${prefix}' || ulid_prefix(${at}) || lpad((${(rows += 1)})::text, 16, '0')`;

  return {
    query,
    tenantId: () => tenantId,
    async begin(): Promise<void> {
      tenantId = await test.createTenant();
    },
    /** Moves the clock of the database. */
    moveTo: (at: string) => test.shiftClock((Date.parse(at) - Date.now()) / 1_000),
    async deliver(at: string, { status = 'held', attempts = 0, endpoint = 'whk_1' } = {}): Promise<string> {
      const sql = `
        INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, created_at)
        VALUES ($1, ${idSql('evt_', '$2::timestamptz')}, $3, 'dlv_${rows}', $4, $5, $2) RETURNING event_id AS id`;
      const [row] = await query<{ id: string }>(sql, [at, endpoint, status, attempts]);
      return row?.id ?? '';
    },
    settle: (eventId: string, status: string) =>
      query('UPDATE deliveries SET status = $3, attempts = attempts + 1 WHERE tenant_id = $1 AND event_id = $2', [
        eventId,
        status,
      ]),
    receive: (at: string) =>
      query(
        `INSERT INTO inbound_events (tenant_id, id, integration_ref, source, event, status, body, received_at)
         VALUES ($1, ${idSql('inb_', '$2::timestamptz')}, 'int_1', 'taskplatform', 'x', 'applied', '{}', $2)`,
        [at],
      ),
    /** An event, with the next number. */
    number: async (at: string) => {
      const counted = await query<{ number: number }>(
        `INSERT INTO event_counters VALUES ($1, 1)
         ON CONFLICT (tenant_id) DO UPDATE SET last_number = event_counters.last_number + 1 RETURNING last_number AS number`,
      );
      await query(`INSERT INTO event_numbers VALUES ($1, $3, ${idSql('evt_', '$2::timestamptz')})`, [
        at,
        counted[0]?.number,
      ]);
    },
    /** Tasks that were completed on a day, as the roll-up has them. */
    completeTasks: (day: string, count: number) =>
      query(
        `INSERT INTO analytics_throughput AS t (tenant_id, grain, at, role, created, completed) VALUES ($1, 'day', $2, 'rd', $3, $3)
         ON CONFLICT (tenant_id, grain, at, role) DO UPDATE SET created = t.created + $3, completed = t.completed + $3`,
        [day, count],
      ),
    /** As one visit of the aggregator, which other processes may make at the same time. */
    measure: () => test.database.inTransaction('', (tx) => measureTenant(tx, tenantId)),
    /** The stored months, the latest first. */
    months: () =>
      query<Figures>(`
        SELECT to_char(month, 'YYYY-MM') AS month, closed_at IS NOT NULL AS closed, events, deliveries, delivered, attempts,
          inbound_events, tasks_created, tasks_completed, input_tokens, cost, storage_bytes, storage_byte_days, storage_days
        FROM tenant_usage WHERE tenant_id = $1 ORDER BY month DESC`),
    /** The events that the operator got for the tenant. */
    sentEvents: () =>
      query<{ data: Record<string, unknown> }>(
        `SELECT data FROM events WHERE event_type = 'tenant.usage_recorded' AND data ->> 'tenant_id' = $1`,
      ).then((found) => found.map(({ data }) => data)),
  };
}
