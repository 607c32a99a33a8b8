import { inIndexOrderSql, type Tx } from '@eas/db';

export type DeliveryBacklog = {
  /** How long the oldest due delivery has waited to be sent, in seconds; 0 when none is due. */
  oldestDueSeconds: number;
  /** Deliveries that are in a job or being sent, or wait for either; counted up to 10,000. */
  due: number;
  /** Kept for paused endpoints; counted up to 10,000. */
  held: number;
  /** Endpoints. */
  paused: number;
};

const backlogSql = `
  SELECT coalesce(extract(epoch FROM app_now() - min(next_attempt_at)), 0)::float8 AS "oldestDueSeconds",
    count(*)::int AS due,
    (SELECT count(*)::int FROM (
      SELECT FROM deliveries WHERE status = 'held' ORDER BY tenant_id, endpoint_id, event_id LIMIT 10000) AS first_held) AS held,
    (SELECT count(*)::int FROM endpoints WHERE probe_at IS NOT NULL AND deleted_at IS NULL) AS paused
  FROM (
    SELECT next_attempt_at FROM deliveries WHERE status = 'pending' AND next_attempt_at <= app_now()
    ORDER BY next_attempt_at LIMIT 10000
  ) AS oldest`;

/** Reads only the head of the backlog. */
export async function readDeliveryBacklog({ db }: Pick<Tx, 'db'>): Promise<DeliveryBacklog> {
  await db.query(inIndexOrderSql);
  const [backlog] = await db.query<DeliveryBacklog>(backlogSql);
  return backlog ?? { oldestDueSeconds: 0, due: 0, held: 0, paused: 0 };
}
