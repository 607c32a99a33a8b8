import { postJson } from '../harness/post-json.ts';

/** Has `task.created` delivered to an address. Gives the ID of the endpoint. */
export async function subscribe(gatewayUrl: string, apiKey: string, url: string): Promise<string> {
  const body = { url, events: ['task.created'], secret: 'the secret of the bench' };
  return String((await postJson(`${gatewayUrl}/v1/webhooks`, apiKey, body))['id']);
}
