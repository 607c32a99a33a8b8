import { defaultTenantId } from '@eas/contracts';
import type { Db } from '@eas/db';
import type { PathEndpoints } from './path-endpoints.ts';

/** Rows `$2` to `$3` in the order of ids, from `$5` on; `$4` distinguishes rows by purpose. */
const drawnSql = `
  SELECT n, at, 'evt_' || ulid_prefix(at) || $4::text || lpad(n::text, 15, '0') AS event_id
  FROM generate_series($2::int, $3::int) AS n,
    date_trunc('milliseconds', $5::timestamptz + n * interval '0.8 seconds') AS at`;

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, event_id, 'task.created', at, json_build_object('task_id', 'tsk_' || n % 100) FROM (${drawnSql}) AS drawn`;

const deliveriesSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, next_attempt_at, created_at, settled_at,
    reason, task_id)
  SELECT $1, event_id, $6, 'dlv_' || substr(event_id, 5) || right($6, 6), $7, CASE WHEN $7 IN ('pending', 'held') THEN 0 ELSE 1 END,
    CASE WHEN $7 = 'pending' THEN CASE WHEN $8 THEN at ELSE app_now() + (1 + n % 80) * interval '1 hour' END END, at,
    CASE WHEN $7 IN ('delivered', 'dead') THEN at END,
    CASE WHEN $9 THEN 'ordered' WHEN $7 = 'held' THEN 'webhook_paused' WHEN $7 = 'dead' THEN 'tries_exhausted' END,
    CASE WHEN $9 THEN 'tsk_' || n % 100 END
  FROM (${drawnSql}) AS drawn`;

/** In parts that stay below the time that a statement may take. */
const part = 20_000;

type Kind = { endpointId: string; status: string; isDue?: boolean; isOrdered?: boolean };

/**
 * Adds deliveries, from `from` of each kind to `size`, whose events came 0.8 seconds apart from `since` on. One endpoint has all that is due, half of what is due later and
 * half of what is settled; another one, ordered, waits for the other half; a paused one has all that is held.
 */
export async function fillStates(
  db: Db,
  { backlog, ordered, paused, quiet }: PathEndpoints,
  { from, size, since }: { from: number; size: number; since: Date },
): Promise<void> {
  const fill = async (purpose: string, share: number, kinds: readonly Kind[]) => {
    for (let first = from * share + 1; first <= size * share; first += part) {
      const range = [defaultTenantId, first, Math.min(first + part - 1, size * share), purpose, since];
      await db.query(eventsSql, range);
      for (const { endpointId, status, isDue = false, isOrdered = false } of kinds)
        await db.query(deliveriesSql, [...range, endpointId, status, isDue, isOrdered]);
    }
  };
  await fill('a', 1, [
    { endpointId: backlog, status: 'pending', isDue: true },
    { endpointId: paused, status: 'held' },
  ]);
  await fill('b', 0.5, [
    { endpointId: backlog, status: 'pending' },
    { endpointId: ordered, status: 'pending', isOrdered: true },
    { endpointId: quiet, status: 'delivered' },
    { endpointId: paused, status: 'dead' },
  ]);
  await fill('c', 0.25, [
    { endpointId: backlog, status: 'delivered' },
    { endpointId: quiet, status: 'dead' },
    { endpointId: ordered, status: 'delivered' },
  ]);
  await fill('d', 0.25, [{ endpointId: backlog, status: 'dead' }]);
}

const partitionsSql = `
  SELECT inhrelid::regclass::text AS name FROM pg_inherits
  WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass)`;

/** Off: the planner's statistics stay as the bench sets them. */
export async function setAutovacuum(db: Db, isOn: boolean): Promise<void> {
  for (const { name } of await db.query<{ name: string }>(partitionsSql))
    await db.query(`ALTER TABLE ${name} SET (autovacuum_enabled = ${isOn})`);
}
