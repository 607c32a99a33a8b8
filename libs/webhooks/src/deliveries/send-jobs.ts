import { maxDeliveriesPerJob, type Send } from '@eas/contracts';

type DeliveryKey = { tenantId: string; endpointId: string; eventId: string };

export function sendJobs(deliveries: readonly DeliveryKey[]): Send[] {
  const byEndpoint = Map.groupBy(deliveries, ({ tenantId, endpointId }) => `${tenantId} ${endpointId}`);
  return [...byEndpoint.values()].flatMap((group) => {
    const { tenantId, endpointId } = group[0] as DeliveryKey;
    const jobs: Send[] = [];
    for (let start = 0; start < group.length; start += maxDeliveriesPerJob) {
      const eventIds = group.slice(start, start + maxDeliveriesPerJob).map(({ eventId }) => eventId);
      jobs.push({
        job: 'delivery.send',
        payload: { tenant_id: tenantId, endpoint_id: endpointId, event_ids: eventIds },
      });
    }
    return jobs;
  });
}
