import { maxDeliveriesPerJob, type Send } from '@eas/contracts';

type DeliveryKey = {
  tenantId: string;
  endpointId: string;
  eventId: string;
  /** It was tried before, or is replayed. */
  isAgain?: boolean;
};

export function sendJobs(deliveries: readonly DeliveryKey[]): Send[] {
  const byEndpoint = Map.groupBy(
    deliveries,
    ({ tenantId, endpointId, isAgain = false }) => `${tenantId} ${endpointId} ${isAgain}`,
  );
  return [...byEndpoint.values()].flatMap((group) => {
    const { tenantId, endpointId, isAgain = false } = group[0] as DeliveryKey;
    const jobs: Send[] = [];
    for (let start = 0; start < group.length; start += maxDeliveriesPerJob) {
      const eventIds = group.slice(start, start + maxDeliveriesPerJob).map(({ eventId }) => eventId);
      jobs.push({
        job: 'delivery.send',
        payload: {
          tenant_id: tenantId,
          endpoint_id: endpointId,
          event_ids: eventIds,
          ...(isAgain ? { is_again: true } : {}),
        },
      });
    }
    return jobs;
  });
}
