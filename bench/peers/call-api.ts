import type { Publish } from '../deliveries/publish.ts';
import type { PeerApi } from './peer-api.ts';

const headersOf = ({ token }: PeerApi) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

/** Sends JSON and returns the parsed response; throws unless it is 2xx. */
export async function callApi(
  api: PeerApi,
  method: 'POST' | 'PUT',
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: headersOf(api),
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

export const publishing = (api: PeerApi, path: string, body: object): Publish => ({
  url: `${api.url}${path}`,
  headers: headersOf(api),
  body: JSON.stringify(body),
});
