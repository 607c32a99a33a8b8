import { callApi, publishing } from './call-api.ts';
import type { OpenPeer } from './peer-api.ts';

/** An application with an endpoint for each address: https://api.svix.com/docs. `url`: of the server, without /api. */
export const openSvix: OpenPeer = async (api, receivers, bytes) => {
  const { id } = await callApi(api, 'POST', '/api/v1/app', { name: 'bench' });
  const app = `/api/v1/app/${String(id)}`;
  for (const url of receivers) await callApi(api, 'POST', `${app}/endpoint`, { url, description: 'bench' });
  return publishing(api, `${app}/msg`, { eventType: 'task.created', payload: { text: 'a'.repeat(bytes) } });
};
