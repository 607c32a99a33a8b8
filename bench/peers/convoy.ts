import { randomUUID } from 'node:crypto';
import { callApi, publishing } from './call-api.ts';
import type { OpenPeer } from './peer-api.ts';

/**
 * Endpoints of one owner, each with a subscription: https://getconvoy.io/docs/api-reference. `url`: of an outgoing
 * project, as http://localhost:5005/api/v1/projects/<id>; the token is the API key of the project.
 */
export const openConvoy: OpenPeer = async (api, receivers, bytes) => {
  const owner = randomUUID();
  for (const [index, url] of receivers.entries()) {
    const name = `bench ${owner} ${index}`;
    const secret = 'the secret of the bench';
    const { data } = await callApi(api, 'POST', '/endpoints', { name, url, secret, owner_id: owner });
    const { uid } = data as { uid: string };
    const events = { event_types: ['*'] };
    await callApi(api, 'POST', '/subscriptions', { name, endpoint_id: uid, filter_config: events });
  }
  const data = { text: 'a'.repeat(bytes) };
  return publishing(api, '/events/fanout', { owner_id: owner, event_type: 'task.created', data });
};
