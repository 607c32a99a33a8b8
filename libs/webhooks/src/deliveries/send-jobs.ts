import { maxDeliveriesPerJob, type Send } from '@eas/contracts';

type DeliveryKey = {
  tenantId: string;
  endpointId: string;
  eventId: string;
  /** It was tried before, or is replayed. */
  isAgain?: boolean;
};

/** Jobs for deliveries, each for one endpoint. */
export function sendJobs(deliveries: readonly DeliveryKey[]): Send[] {
  const byEndpoint = Map.groupBy(
    deliveries,
    ({ tenantId, endpointId, isAgain = false }) => `${tenantId} ${endpointId} ${isAgain}`,
  );
  return [...byEndpoint.values()].flatMap((group) => {
    const { tenantId, endpointId, isAgain = false } = group[0] as DeliveryKey;
    const ids = group.map(({ eventId }) => eventId);
    return Array.from({ length: Math.ceil(ids.length / maxDeliveriesPerJob) }, (_, index): Send => {
      const event_ids = ids.slice(index * maxDeliveriesPerJob, (index + 1) * maxDeliveriesPerJob);
      const key = { tenant_id: tenantId, endpoint_id: endpointId, event_ids };
      return { job: 'delivery.send', payload: { ...key, ...(isAgain ? { is_again: true } : {}) } };
    });
  });
}
