import { randomUUID } from 'node:crypto';
import { callApi, publishing } from './call-api.ts';
import type { OpenPeer } from './peer-api.ts';

/**
 * A tenant with a destination for each address: https://hookdeck.com/docs/outpost/api. `url`: with the path of the API,
 * as http://localhost:3333/api/v1. Where the server has a list of topics, task.created must be one of them.
 */
export const openOutpost: OpenPeer = async (api, receivers, bytes) => {
  const tenant = `bench_${randomUUID()}`;
  await callApi(api, 'PUT', `/tenants/${tenant}`);
  for (const url of receivers)
    await callApi(api, 'POST', `/tenants/${tenant}/destinations`, { type: 'webhook', topics: ['*'], config: { url } });
  return publishing(api, '/publish', {
    tenant_id: tenant,
    topic: 'task.created',
    eligible_for_retry: true,
    metadata: {},
    data: { text: 'a'.repeat(bytes) },
  });
};
