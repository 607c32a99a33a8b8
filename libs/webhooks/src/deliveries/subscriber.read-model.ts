import { type DbScope, inIndexOrderSql } from '@eas/db';
import { inHandCountSql } from './delivery-sql.ts';

/** An endpoint that takes some of the events at hand, and how many due deliveries it has in the queue or being sent. */
export type Subscriber = {
  endpointId: string;
  events: string[];
  inHand: number;
  /** What matches is kept until it recovers. */
  isPaused: boolean;
  /** It wants the events of each task in order. */
  isOrdered: boolean;
};

const subscribersSql = `
  SELECT e.id AS "endpointId", e.events, e.status = 'paused' AS "isPaused", e.ordering = 'task' AS "isOrdered",
    ${inHandCountSql('e.tenant_id', 'e.id')} AS "inHand"
  FROM endpoints e
  WHERE e.tenant_id = $1 AND e.status <> 'disabled' AND e.deleted_at IS NULL AND e.events && $2::text[]`;

/** Endpoints with one of the subscriptions that are not disabled. In a transaction. */
export async function listSubscribers(
  { db, tenantId }: DbScope,
  subscriptions: readonly string[],
): Promise<Subscriber[]> {
  // On their way together, one after the other.
  const [, subscribers] = await Promise.all([
    db.query(inIndexOrderSql),
    db.query<Subscriber>(subscribersSql, [tenantId, subscriptions]),
  ]);
  return subscribers;
}
