import { maxCountedDeadDeliveries, maxCountedWebhooks } from '@eas/contracts';
import type { DbScope } from '@eas/db';

const deadSql = `
  SELECT p.id AS "endpointId", p.url, counted.n AS count FROM (
    SELECT id, url, last_failure_at FROM endpoints WHERE tenant_id = $1 AND deleted_at IS NULL
    ORDER BY last_failure_at DESC NULLS LAST, id LIMIT ${maxCountedWebhooks}
  ) AS p, LATERAL (
    SELECT count(*)::int AS n FROM (
      SELECT created_at FROM deliveries WHERE tenant_id = $1 AND endpoint_id = p.id AND status = 'dead'
      ORDER BY event_id DESC LIMIT ${maxCountedDeadDeliveries}
    ) AS newest WHERE created_at >= $2
  ) AS counted
  WHERE counted.n > 0 ORDER BY p.last_failure_at DESC NULLS LAST, p.id`;

/** Dead deliveries of each of a bounded number of endpoints, among a bounded number of its newest dead ones. */
export async function countDead(
  { db, tenantId }: DbScope,
  since: Date,
): Promise<{ endpointId: string; url: string; count: number }[]> {
  return db.query<{ endpointId: string; url: string; count: number }>(deadSql, [tenantId, since]);
}
