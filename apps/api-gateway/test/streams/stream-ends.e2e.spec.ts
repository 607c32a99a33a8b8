import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { revokeApiKey } from '@eas/access';
import { eventually } from '@eas/testing';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { openStream, type SseClient } from './sse-client.ts';
import { useStreamGateways } from './stream-gateways.ts';

const gateway = useGateway();
const times = { stallMs: 2_000, recheckMs: 200, heartbeatMs: 100 };
const gateways = useStreamGateways(gateway.test, 2, { ...times, limits: { perCredential: 3, perTenant: 5 } });
const all = ['events:read', 'tasks:read', 'tasks:write'] as const;
let task: Json;
beforeAll(async () => {
  task = await gateway.make('/v1/tasks', { title: 't', description: 'd' });
});

const clients: SseClient[] = [];
async function follow(key: string, at = 0): Promise<SseClient> {
  const client = await openStream(`${gateways[at]?.url}/v1/tasks/${task.id}/events`, { 'x-api-key': key });
  clients.push(client);
  return client;
}
const comment = (content: string) => gateway.make(`/v1/tasks/${task.id}/comments`, { content });
const keyId = async (key: string) =>
  (await gateway.get('/admin/api/keys?limit=100')).body.data.find((one: Json) => key.endsWith(one.last_four)).id;

afterEach(async () => {
  for (const client of clients.splice(0)) client.cut();
  await eventually(() => gateways.every((one) => one.open() === 0));
});

describe('a stream ends', () => {
  it('within moments of its key being revoked, and the key opens no other', async () => {
    const [key, other] = [await gateway.makeKey(all), await gateway.makeKey(all)];
    const [client, stays] = [await follow(key), await follow(other)];
    await revokeApiKey(gateway.test.context(), { id: await keyId(key), ifMatch: undefined });
    await client.ended;
    expect(gateways[0]?.ends.at(-1)).toBe('access ended');
    expect((await follow(key)).status).toBe(401);
    await delay(300);
    expect(stays.isOpen()).toBe(true);
  });

  it('when its key expires', async () => {
    const key = await gateway.makeKey(all);
    const client = await follow(key);
    await gateway.test.database.db.query(
      `UPDATE api_keys SET expires_at = app_now() + interval '1 second' WHERE last_four = $1`,
      [key.slice(-4)],
    );
    await client.ended;
  });

  it('when its key loses a scope, and may be opened again with those that are left', async () => {
    const key = await gateway.makeKey(all);
    const client = await follow(key);
    const id = await keyId(key);
    const response = await gateway.send('PATCH', `/admin/api/keys/${id}`, JSON.stringify({ scopes: ['tasks:read'] }));
    expect(response.status).toBe(200);
    await client.ended;
    const again = await follow(key);
    expect(again.status).toBe(200);
  });

  it('when the process shuts down, so that the client can go on elsewhere', async () => {
    const key = await gateway.makeKey(all);
    const client = await follow(key, 1);
    await eventually(() => client.received.length > 0);
    await gateways[1]?.close();
    await client.ended;
    expect(gateways[1]?.ends).toEqual(['shutdown']);
  });
});

describe('streams at a time', () => {
  it('are limited for a credential, and its next one waits until another has ended', async () => {
    const key = await gateway.makeKey(all);
    await Promise.all([follow(key), follow(key), follow(key)]);
    const refused = await fetch(`${gateways[0]?.url}/v1/events/stream`, { headers: { 'x-api-key': key } });
    const text = await refused.text();
    const response = { status: refused.status, headers: refused.headers, text, body: JSON.parse(text) };
    expectError(response, 429, 'rate_limited');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    clients[0]?.cut();
    await eventually(() => gateways[0]?.open() === 2);
    expect((await follow(key)).status).toBe(200);
  });

  it('are limited for a tenant, whatever number of keys it has', async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => gateway.makeKey(all)));
    await Promise.all(keys.slice(0, 5).map((key) => follow(key)));
    expect((await follow(keys[5] as string)).status).toBe(409);
  });

  it('hold no database connection while they wait, and share one reader', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => gateway.makeKey(all)));
    await Promise.all(keys.map((key) => follow(key)));
    const seen = () => clients.map(({ received }) => received.length);
    await eventually(() => seen().every((count) => count > 0));
    await comment('to all');
    await eventually(() => clients.every(({ received }) => received.at(-1)?.data.content === 'to all'));
    // The keys are rechecked from time to time.
    const busy = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'streams' AND state <> 'idle'`;
    await eventually(async () => (await gateway.test.database.db.query(busy)).length === 0);
  });
});

describe('a client that does not read', () => {
  it('is cut, does not delay others, and finds everything when it comes back', async () => {
    const key = await gateway.makeKey(all);
    const socket = await silentReader(key);
    const fast = await follow(key);
    const content = 'x'.repeat(60_000);
    const endsBefore = gateways[0]?.ends.length ?? 0;
    for (let n = 0; n < 200 && gateways[0]?.ends.length === endsBefore; n += 1) {
      await comment(`${n} ${content}`);
    }
    await eventually(() => (gateways[0]?.ends.length ?? 0) > endsBefore);
    expect(gateways[0]?.ends.at(-1)).toBe('client stalled');
    await comment('the end');
    await eventually(() => fast.received.at(-1)?.data.content === 'the end');
    expect(fast.isOpen()).toBe(true);
    socket.destroy();
    const again = await follow(key);
    await eventually(() => again.received.at(-1)?.data.content === 'the end');
    expect(again.received.map(({ id }) => id)).toEqual(fast.received.map(({ id }) => id));
  });
});

/** Asks for the stream, and never reads what comes. */
function silentReader(key: string): Promise<Socket> {
  const { hostname, port } = new URL(gateways[0]?.url ?? '');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      const head = `GET /v1/tasks/${task.id}/events HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`;
      socket.write(head, () => resolve(socket));
    });
    socket.on('error', () => {});
  });
}
