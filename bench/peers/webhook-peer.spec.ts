import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readWebhookPeer } from './webhook-peer.ts';

type Call = { call: string; authorization: string | undefined; body: unknown };

/** Records calls and responds with ids as each of the APIs does. */
async function startApi() {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const { authorization } = request.headers;
      calls.push({ call: `${request.method} ${request.url}`, authorization, body: JSON.parse(text) });
      response.writeHead(201).end(JSON.stringify({ id: 'id_1', data: { uid: `uid_${calls.length}` } }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close: () => server.close() };
}

async function openPeer(name: string, path = '') {
  const api = await startApi();
  const peer = readWebhookPeer(`${name}:${api.url}${path}:token`);
  const publish = await peer?.open(['http://a.test/0', 'http://a.test/1'], 3);
  api.close();
  expect(api.calls.every(({ authorization }) => authorization === 'Bearer token')).toBe(true);
  expect(publish?.headers).toMatchObject({ authorization: 'Bearer token', 'content-type': 'application/json' });
  const published = { to: publish?.url.slice(api.url.length), body: JSON.parse(publish?.body ?? '') as object };
  return { calls: api.calls.map(({ call, body }) => ({ call, body })), published };
}

describe('peers of outgoing webhooks', () => {
  it('makes an application with endpoints in Svix and publishes messages to it', async () => {
    const { calls, published } = await openPeer('svix');
    expect(calls).toEqual([
      { call: 'POST /api/v1/app', body: { name: 'bench' } },
      { call: 'POST /api/v1/app/id_1/endpoint', body: { url: 'http://a.test/0', description: 'bench' } },
      { call: 'POST /api/v1/app/id_1/endpoint', body: { url: 'http://a.test/1', description: 'bench' } },
    ]);
    const body = { eventType: 'task.created', payload: { text: 'aaa' } };
    expect(published).toEqual({ to: '/api/v1/app/id_1/msg', body });
  });

  it('makes a tenant with destinations in Outpost and publishes events to it', async () => {
    const { calls, published } = await openPeer('outpost', '/api/v1');
    const { tenant_id: tenant } = published.body as { tenant_id: string };
    const to = (url: string) => ({ type: 'webhook', topics: ['*'], config: { url } });
    expect(calls).toEqual([
      { call: `PUT /api/v1/tenants/${tenant}`, body: {} },
      { call: `POST /api/v1/tenants/${tenant}/destinations`, body: to('http://a.test/0') },
      { call: `POST /api/v1/tenants/${tenant}/destinations`, body: to('http://a.test/1') },
    ]);
    expect(published).toMatchObject({
      to: '/api/v1/publish',
      body: { topic: 'task.created', eligible_for_retry: true, data: { text: 'aaa' } },
    });
  });

  it('makes endpoints of one owner with subscriptions in Convoy and fans events out to them', async () => {
    const { calls, published } = await openPeer('convoy', '/api/v1/projects/p1');
    const { owner_id: owner } = published.body as { owner_id: string };
    expect(calls.map(({ call }) => call)).toEqual([
      'POST /api/v1/projects/p1/endpoints',
      'POST /api/v1/projects/p1/subscriptions',
      'POST /api/v1/projects/p1/endpoints',
      'POST /api/v1/projects/p1/subscriptions',
    ]);
    expect(calls[2]?.body).toMatchObject({ url: 'http://a.test/1', owner_id: owner });
    expect(calls[3]?.body).toMatchObject({ endpoint_id: 'uid_3', filter_config: { event_types: ['*'] } });
    const body = { owner_id: owner, event_type: 'task.created', data: { text: 'aaa' } };
    expect(published).toEqual({ to: '/api/v1/projects/p1/events/fanout', body });
  });

  it('is none without a setting, and refuses one that names no known peer or has no token', () => {
    expect(readWebhookPeer(undefined)).toBeUndefined();
    for (const text of ['svix', 'svix:http://127.0.0.1', 'other:http://127.0.0.1:1:token'])
      expect(() => readWebhookPeer(text)).toThrow('BENCH_PEER must be svix|outpost|convoy:<url>:<token>');
  });
});
