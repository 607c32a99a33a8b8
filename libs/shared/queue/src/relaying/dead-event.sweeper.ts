import { type Db, inFreshIndexOrderSql, isLockedRowSql, rowByKeySql, valuesOf } from '@eas/db';

/** Identifies the row of an event and of the consumer that gave up on it. */
export type DeadEventKey = { tenantId: string; eventId: string; consumer: string };

export type DeadEventRow = DeadEventKey & {
  /** null: the event is no longer stored. */
  eventType: string | null;
  attempts: number;
  lastError: string | null;
  deadAt: Date;
};

const keySql = 'tenant_id, event_id, consumer';

const pageSql = (isAfter: boolean) => `
  SELECT tenant_id AS "tenantId", event_id AS "eventId", consumer, attempts, last_error AS "lastError",
    dead_at AS "deadAt", (
      SELECT event_type FROM events e WHERE e.tenant_id = outbox.tenant_id AND e.event_id = outbox.event_id
    ) AS "eventType"
  FROM outbox
  WHERE dead_at IS NOT NULL ${isAfter ? `AND (dead_at, ${keySql}) < ($2, $3, $4, $5)` : ''}
  ORDER BY dead_at DESC, tenant_id DESC, event_id DESC, consumer DESC LIMIT $1`;

/** Dead events of all tenants, the latest first, after the row `after`. In a transaction of its own. */
export async function listDeadEvents(
  db: Db,
  { limit, after }: { limit: number; after?: (DeadEventKey & { deadAt: Date }) | undefined },
): Promise<DeadEventRow[]> {
  await db.query(inFreshIndexOrderSql);
  const position = after ? [after.deadAt, after.tenantId, after.eventId, after.consumer] : [];
  return db.query<DeadEventRow>(pageSql(after !== undefined), [limit, ...position]);
}

const namedEventsSql = `
  SELECT tenant_id AS "tenantId", event_id AS "eventId", consumer FROM outbox
  WHERE dead_at IS NOT NULL AND event_id = ANY ($1) ORDER BY dead_at LIMIT $2`;

/** The rows that consumers gave up on, of these events, at most `limit`. */
export function findDeadEvents(db: Db, eventIds: readonly string[], limit: number): Promise<DeadEventKey[]> {
  return db.query<DeadEventKey>(namedEventsSql, [eventIds, limit]);
}

const reviveSql = (condition: string) => `
  UPDATE outbox SET dead_at = NULL, attempts = 0, sent_at = NULL, first_sent_at = NULL, available_at = app_now()
  WHERE ${condition}
  RETURNING tenant_id AS "tenantId", event_id AS "eventId", consumer`;

const namedSql = reviveSql(`ctid = ANY (ARRAY(
  SELECT dead.row_id FROM unnest($1::text[], $2::text[], $3::text[]) AS named (tenant_id, event_id, consumer)
  ${rowByKeySql('dead', {
    select: 'o.ctid AS row_id',
    from: 'outbox o',
    where: `o.tenant_id = named.tenant_id AND o.event_id = named.event_id AND o.consumer = named.consumer
      AND o.dead_at IS NOT NULL`,
    lock: 'FOR UPDATE SKIP LOCKED',
  })}))`);

/**
 * Makes these events pending again, at once and with all attempts; events that are not dead are ignored. Returns the
 * retried ones.
 */
export function retryDeadEvents(db: Db, keys: readonly DeadEventKey[]): Promise<DeadEventKey[]> {
  return db.query<DeadEventKey>(namedSql, valuesOf(keys, ['tenantId', 'eventId', 'consumer']));
}

const oldestSql = reviveSql(
  isLockedRowSql({ table: 'outbox', where: 'dead_at IS NOT NULL', orderBy: 'dead_at', limit: '$1' }),
);

/** The same for the oldest ones. In a transaction of its own. */
export async function retryOldestDead(db: Db, limit: number): Promise<DeadEventKey[]> {
  await db.query(inFreshIndexOrderSql);
  return db.query<DeadEventKey>(oldestSql, [limit]);
}
