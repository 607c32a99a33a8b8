import { revokeApiKey } from '@eas/access';
import { eventually } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { EventSource } from 'eventsource';
import { useGateway } from '../gateway.ts';
import { useStreamGateways } from './stream-gateways.ts';

const gateway = useGateway();
const gateways = useStreamGateways(gateway.test, 2, { recheckMs: 200 });

it('a third-party client goes on by itself at another gateway, and stops when its key is revoked', async () => {
  const key = await gateway.makeKey(['tasks:read']);
  const { id } = await gateway.make('/v1/tasks', { title: 't', description: 'd' });
  const comment = (content: string) => gateway.make(`/v1/tasks/${id}/comments`, { content });
  const asked: (string | null)[] = [];
  const source = new EventSource(`${gateways[0]?.url}/v1/tasks/${id}/events`, {
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      asked.push(headers.get('last-event-id'));
      headers.set('x-api-key', key);
      const at = asked.length === 1 ? gateways[0] : gateways[1];
      return fetch(new URL(new URL(url).pathname, at?.url), { ...init, headers });
    },
  });
  const came: string[] = [];
  for (const type of ['created', 'comment']) source.addEventListener(type, (event) => came.push(event.lastEventId));
  try {
    await comment('a');
    await eventually(() => came.length === 2);
    await gateways[0]?.close();
    await comment('b');
    await eventually(() => came.length === 3);
    expect(came).toEqual(['1', '2', '3']);
    expect(asked).toEqual([null, '2']);
    const [{ id: keyId }] = (await gateway.get('/admin/api/keys?limit=1')).body.data;
    await revokeApiKey(gateway.test.context(), { id: keyId, ifMatch: undefined });
    await eventually(() => source.readyState === EventSource.CLOSED);
  } finally {
    source.close();
  }
});
