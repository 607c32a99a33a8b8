// Every app is replaced while clients work: the new one first, then the old one gets SIGTERM. No request fails, nothing is lost.
import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { findFreePort } from '../redis-server.ts';
import { type Balancer, startBalancer, type Target } from './balancer.ts';
import { appNames } from './programs.ts';

const test = useTestDatabase();
const start = resolve(import.meta.dirname, '../../deploy/container/start-app.ts');
const apiKey = `rolling-${randomBytes(24).toString('hex')}`;
const encryptionKey = randomBytes(32).toString('base64');
const clients = 4;

type App = Target & { name: string; child: ChildProcess; closed: Promise<unknown[]>; output: () => string };

let gateways: Balancer;
let receivers: Balancer;
let sink: WebhookSink;
let redisUrl: string | undefined;
const running = new Map<string, App[]>();

beforeAll(async () => {
  redisUrl = ownRedisDatabase(9);
  [gateways, receivers, sink] = await Promise.all([startBalancer(), startBalancer(), startWebhookSink()]);
  // Clients have the choice of two from the beginning.
  await Promise.all([...appNames, 'api-gateway', 'webhook-receiver'].map(startApp));
});
afterAll(async () => {
  const apps = [...running.values()].flat();
  apps.forEach(({ child }) => child.kill('SIGKILL'));
  await Promise.all(apps.map(({ closed }) => closed));
  await Promise.all([gateways?.close(), receivers?.close(), sink?.close()]);
});

const balancerOf = (name: string): Balancer | undefined =>
  ({ 'api-gateway': gateways, 'webhook-receiver': receivers })[name];

async function startApp(name: string): Promise<void> {
  const [port, healthPort] = await Promise.all([findFreePort(), findFreePort()]);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', start, name], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: test.url,
      ENCRYPTION_KEY: encryptionKey,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      BOOTSTRAP_API_KEY: apiKey,
      BOOTSTRAP_RATE_LIMIT: '1000000',
      RECEIVER_URL: receivers.url,
      BASE_URL: gateways.url,
      PORT: String(port),
      RECEIVER_PORT: String(port),
      HEALTH_PORT: String(healthPort),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      RECEIVER_ALLOW_UNSIGNED: 'true',
      SHUTDOWN_DELAY_SECONDS: '2',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const app: App = { name, port, healthPort, child, closed: once(child, 'close'), output: () => output };
  running.set(name, [...(running.get(name) ?? []), app]);
  const balancer = balancerOf(name);
  balancer?.add(app);
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${output}`);
    if (balancer) return balancer.hasReady(app);
    return fetch(`http://127.0.0.1:${healthPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
}

/** Another one takes over from the oldest. Gives the exit code of that one. */
async function replace(name: string): Promise<unknown> {
  await startApp(name);
  const [oldest, ...others] = running.get(name) ?? [];
  if (!oldest) throw new Error(`${name} does not run`);
  running.set(name, others);
  oldest.child.kill('SIGTERM');
  const [code] = await oldest.closed;
  balancerOf(name)?.remove(oldest);
  return code;
}

type Answered = { id?: string; lease?: { lease_id: string; fencing_token: number } };
type Load = { titles: string[]; unexpected: string[]; stop(): Promise<void> };

/** Clients that one after another create a task, read it, do one, and send a webhook, until they are stopped. */
function startLoad(agentId: string): Load {
  const titles: string[] = [];
  const unexpected: string[] = [];
  const stopping = new AbortController();
  const call = async (path: string, expected: readonly number[], body?: object) => {
    const response = await fetch(`${gateways.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => ({ status: error.message, text: async () => '' }));
    const text = await response.text();
    if (!expected.includes(Number(response.status))) unexpected.push(`${path}: ${response.status} ${text}`);
    return Number(response.status) < 300 && text !== '' ? (JSON.parse(text) as Answered) : {};
  };
  const client = async (_: unknown, number: number) => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const title = `${number}-${turn}`;
      const { id } = await call('/v1/tasks', [201], { title, description: 'Under load.' });
      if (id) titles.push(title);
      await call(`/v1/tasks/${id}`, [200]);
      const { lease } = await call(`/v1/agents/${agentId}/claims`, [200, 204], { wait_seconds: 1 });
      if (lease) {
        const { lease_id: leaseId, fencing_token: token } = lease;
        await call(`/v1/leases/${leaseId}/complete`, [200], { fencing_token: token, summary: 'Done.' });
      }
      const received = { event: 'taskCreated', webhook_id: 'any', task_id: `p-${title}`, data: { name: `p-${title}` } };
      await call('/webhook/taskplatform', [200], received);
      titles.push(`p-${title}`);
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, client));
  return {
    titles,
    unexpected,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

describe(`a rolling restart, with queues on ${queueBackEnd.kind}`, () => {
  it('of every app under load fails no request and loses nothing', async () => {
    const post = async (path: string, body: object) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      const response = await fetch(`${gateways.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: string };
    };
    await post('/v1/webhooks', { url: `${sink.url}/hook`, events: ['task.created'] });
    const agent = await post('/v1/agents', { name: 'Ada', role: 'rd', max_concurrent_tasks: 100 });
    const load = startLoad(agent.id);
    await eventually(() => load.titles.length > 10);
    for (const name of appNames) {
      const before = load.titles.length;
      expect([name, await replace(name)]).toEqual([name, 0]);
      await eventually(() => load.titles.length > before + 10);
    }
    await load.stop();
    const failures = [...gateways.failures, ...receivers.failures];
    expect({ unexpected: load.unexpected.slice(0, 5), failures }).toEqual({ unexpected: [], failures: [] });
    const delivered = () =>
      new Set(sink.requests.map(({ body }) => (JSON.parse(body.toString()) as { data: { title: string } }).data.title));
    await eventually(() => load.titles.every((title) => delivered().has(title)));
    const [stored] = await test.database.db.query<{ n: number }>('SELECT count(*) AS n FROM tasks');
    expect(stored?.n).toBe(load.titles.length);
    const outbox = async () => (await test.database.db.query<{ n: number }>('SELECT count(*) AS n FROM outbox'))[0]?.n;
    await eventually(async () => (await outbox()) === 0);
  });
});
