import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimFor, createPatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';

const test = useTestDatabase();
let system: System;
let isStopped = false;
let dataDir: string;
let other: WebhookSink;
const secrets = new Map<string, string>();

/** A secret that the logs must not have. */
function secret(name: string, value = `${name}-${randomBytes(16).toString('hex')}`): string {
  secrets.set(name, value);
  return value;
}

beforeAll(async () => {
  other = await startWebhookSink();
  // A server that refuses every call, and repeats the request.
  other.respondWith(({ path, headers, body }) => ({
    status: path.startsWith('/hook') ? 500 : 401,
    headers: { 'content-type': 'text/html' },
    body: `<html>${path} ${JSON.stringify(headers)} ${body.toString()}</html>`,
  }));
  dataDir = await mkdtemp(join(tmpdir(), 'eas-logs-'));
  system = await startSystem({
    DATABASE_URL: test.url,
    REDIS_URL: ownRedisDatabase(12),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    CHAT_API_URL: other.url,
    PLATFORM_API_URL: other.url,
    ENCRYPTION_KEY: secret('encryption key', randomBytes(32).toString('base64')),
    BOOTSTRAP_API_KEY: secret('bootstrap key'),
    RECEIVER_ALLOW_UNSIGNED: 'false',
  });
});
afterAll(async () => {
  await stop();
  await other?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  if (isStopped || !system) return;
  isStopped = true;
  await system.stop();
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
type ApiResponse = { status: number; headers: Headers; body: any };

async function send(path: string, body: string | object, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const response = await fetch(system.baseUrl + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

async function make(path: string, body: object = {}, key = system.apiKey): Promise<ApiResponse['body']> {
  const made = await send(path, body, { 'x-api-key': key });
  if (made.status >= 300) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`);
  return made.body;
}
const signed = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

/** What all processes have logged so far. */
const logs = (): string =>
  readdirSync(join(dataDir, 'logs'))
    .map((file) => readFileSync(join(dataDir, 'logs', file), 'utf8'))
    .join('\n');

describe(`the logs of all processes, with queues on ${queueBackEnd.kind}`, () => {
  it('have none of the secrets that were set, made, used, repeated by others or sent in broken requests', async () => {
    const platformSecret = secret('platform secret');
    const platform = { type: 'taskplatform', secret: platformSecret, token: secret('platform token') };
    const { id: platformId } = await make('/v1/integrations', platform);
    const hostSecret = secret('host secret');
    const { id: hostId } = await make('/v1/integrations', { type: 'github', org_name: 'acme', secret: hostSecret });
    const chat = { type: 'slack', workspace_name: 'acme', channels: ['C1'], events: ['task.created'] };
    const signing = secret('signing secret');
    const { id: chatId } = await make('/v1/integrations', {
      ...chat,
      token: secret('chat token'),
      signing_secret: signing,
    });
    const webhookUrl = `${other.url}/services/${secret('webhook_url')}`;
    const { id: urlChatId } = await make('/v1/integrations', { ...chat, channels: [], webhook_url: webhookUrl });
    secret('rotated', (await make(`/v1/integrations/${hostId}/rotate-secret`)).secret);
    for (const id of [chatId, urlChatId, platformId]) await make(`/v1/integrations/${id}/test`);
    const { id: endpointId } = await make('/v1/webhooks', {
      url: `${other.url}/hook`,
      events: ['*'],
      secret: secret('endpoint secret'),
      headers: { 'X-Custom': secret('custom header') },
    });
    await make(`/v1/webhooks/${endpointId}/test`);

    const { key } = await make('/admin/api/keys', { name: 'logs', scopes: ['tasks:write'] });
    secret('API key', key);
    const password = secret('password');
    const email = 'ada@example.com';
    await make('/admin/api/users', { email, name: 'Ada', scopes: ['tasks:read'], password });
    const client = await make('/admin/api/clients', {
      name: 'Shop',
      redirect_uris: ['https://shop.example.com/callback'],
      scopes: ['tasks:read'],
    });
    const clientSecret = secret('client secret', client.client_secret);
    const session = await send('/admin/api/session', { email, password });
    expect(session.status).toBeLessThan(300);
    for (const [index, cookie] of session.headers.getSetCookie().entries())
      secret(`session ${index}`, /=([^;]{16,})/.exec(cookie)?.[1]);
    await send('/admin/api/session', { email, password: secret('wrong password') });
    const tokenRequest = { grant_type: 'authorization_code', client_id: client.id, client_secret: clientSecret };
    await send('/oauth/token', new URLSearchParams({ ...tokenRequest, code: secret('code') }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    await send('/v1/tasks', {}, { authorization: `Bearer ${secret('unknown token')}` });
    await send('/v1/tasks', {}, { 'x-api-key': secret('unknown key') });
    const agent = await make('/v1/agents', { name: 'Ada', role: 'rd' });
    const agentKey = secret('agent key', (await make(`/v1/agents/${agent.id}/keys`, { name: 'runner' })).key);

    await make('/v1/tasks', { title: 'Logs', description: 'x', assigned_role: 'rd' }, key);
    const ofAgent = createPatientClient({ baseUrls: [system.baseUrl], apiKey: agentKey });
    const { lease } = await claimFor(ofAgent, agent.id);
    await make(`/v1/leases/${lease.lease_id}/progress`, { fencing_token: lease.fencing_token }, agentKey);
    await make(`/v1/leases/${lease.lease_id}/complete`, { fencing_token: lease.fencing_token }, agentKey);

    const event = JSON.stringify({ event: 'taskCreated', task_id: 'logs-1', data: { name: 'From outside' } });
    for (const text of [event, `{"secret": "${platformSecret}", `]) {
      for (const signature of [signed(platformSecret, text), secret(`wrong ${text.length}`), platformSecret])
        await send(`/webhook/taskplatform/${platformId}`, text, { 'x-signature': signature });
      await send(`/webhook/sourcehost/${hostId}`, text, { 'x-hub-signature-256': `sha256=${hostSecret}` });
      await send('/v1/integrations', text, { 'x-api-key': system.apiKey });
      const at = String(Math.floor(Date.now() / 1_000));
      for (const by of [signing, 'another'])
        await send(`/webhook/chat/${chatId}`, text, {
          'x-slack-signature': `v0=${signed(by, `v0:${at}:${text}`)}`,
          'x-slack-request-timestamp': at,
        });
    }

    // A known line shows that the logs are read, and that later ones have arrived by now.
    await eventually(() => [chatId, urlChatId, endpointId].every((id) => logs().includes(id)));
    const called = () => other.requests.map(({ path, headers }) => `${path} ${headers['authorization']}`).join();
    for (const name of ['webhook_url', 'chat token'])
      await eventually(() => called().includes(secrets.get(name) ?? 'none'));
    await stop();
    const written = logs();
    for (const app of ['api-gateway', 'webhook-receiver', 'workflow-orchestrator', 'webhook-dispatcher'])
      expect(written).toContain(`"name":"${app}"`);
    const found = [...secrets].filter(([, value]) => written.includes(value)).map(([name]) => name);
    expect(secrets.size).toBeGreaterThan(20);
    expect(found).toEqual([]);
  });
});
