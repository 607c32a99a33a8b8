import type { UseCaseContext } from '@eas/db';

// The state that the specs check.

export type DeliveryState = { status: string; attempts: number; waitMs: number | null; isInHand: boolean };

const stateSql = `
  SELECT status, attempts, round(extract(epoch FROM next_attempt_at - app_now()) * 1000)::int AS "waitMs",
    queued_until IS NOT NULL OR sending_until IS NOT NULL AS "isInHand"
  FROM deliveries WHERE tenant_id = $1 AND endpoint_id = $2 ORDER BY event_id`;

export function deliveryStates({ db, tenantId }: UseCaseContext, endpointId: string): Promise<DeliveryState[]> {
  return db.query<DeliveryState>(stateSql, [tenantId, endpointId]);
}

export function attemptsOf({ db, tenantId }: UseCaseContext, endpointId: string) {
  return db.prisma.attempt.findMany({
    where: { tenantId, endpointId },
    orderBy: [{ eventId: 'asc' }, { number: 'asc' }],
  });
}
