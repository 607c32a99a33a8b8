// Every app is replaced while clients work: the new one first, then the old one gets SIGTERM. No request fails, nothing is lost.
import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { findFreePort } from '@eas/testing/redis-server';
import { type Balancer, startBalancer, type Target } from './balancer.ts';
import { appNames } from '../container/programs.ts';

const test = useTestDatabase();
const start = resolve(import.meta.dirname, '../container/start-app.ts');
const apiKey = `rolling-${randomBytes(24).toString('hex')}`;
const encryptionKey = randomBytes(32).toString('base64');
const clients = 4;
const steps = ['first', 'second'];
/** The second step waits for the first: the orchestrator starts it. */
const workflow = {
  name: 'Two steps',
  description: 'One after the other.',
  estimated_duration: '1 minute',
  steps: steps.map((id, index) => ({
    id,
    name: id,
    role: 'runner',
    needs: steps.slice(0, index),
    timeout: 600,
    task: { title: `${id} of {{run.name}}`, description: 'Under load.' },
  })),
};

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
      // The balancer may learn late of an app that ends: two responses of a busy machine.
      SHUTDOWN_DELAY_SECONDS: '5',
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

type Answered = { id?: string; workflow_run_id?: string; lease?: { lease_id: string; fencing_token: number } };
type Ids = { agentId: string; runnerId: string; workflowId: string };
type Load = {
  titles: string[];
  runs: string[];
  unexpected: string[];
  stopClients(): Promise<void>;
  stopRunners(): Promise<void>;
};

/**
 * Clients that one after another create a task, read it, do one, start a run, and send a webhook, and runners that do the steps of
 * runs, until they are stopped.
 */
function startLoad({ agentId, runnerId, workflowId }: Ids): Load {
  const titles: string[] = [];
  const runs: string[] = [];
  const unexpected: string[] = [];
  const stopping = { clients: new AbortController(), runners: new AbortController() };
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
  const doOne = async (agent: string) => {
    const { lease } = await call(`/v1/agents/${agent}/claims`, [200, 204], { wait_seconds: 1 });
    if (!lease) return;
    const { lease_id: leaseId, fencing_token: token } = lease;
    await call(`/v1/leases/${leaseId}/complete`, [200], { fencing_token: token, summary: 'Done.' });
  };
  const client = async (_: unknown, number: number) => {
    for (let turn = 0; !stopping.clients.signal.aborted; turn += 1) {
      const title = `${number}-${turn}`;
      const { id } = await call('/v1/tasks', [201], { title, description: 'Under load.' });
      if (id) titles.push(title);
      await call(`/v1/tasks/${id}`, [200]);
      await doOne(agentId);
      const { workflow_run_id: run } = await call(`/v1/workflows/${workflowId}/start`, [201], { name: title });
      if (run) runs.push(run);
      titles.push(...steps.map((step) => `${step} of ${title}`));
      const received = { event: 'taskCreated', webhook_id: 'any', task_id: `p-${title}`, data: { name: `p-${title}` } };
      await call('/webhook/taskplatform', [200], received);
      titles.push(`p-${title}`);
    }
  };
  const runner = async () => {
    while (!stopping.runners.signal.aborted) await doOne(runnerId);
  };
  const clientsEnded = Promise.all(Array.from({ length: clients }, client));
  const runnersEnded = Promise.all(Array.from({ length: clients }, runner));
  return {
    titles,
    runs,
    unexpected,
    async stopClients() {
      stopping.clients.abort();
      await clientsEnded;
    },
    async stopRunners() {
      stopping.runners.abort();
      await runnersEnded;
    },
  };
}

type Delivered = { data: { title: string } };

async function countOf(sql: string): Promise<number> {
  const [row] = await test.database.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`);
  return Number(row?.n);
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
    const runner = await post('/v1/agents', { name: 'Grace', role: 'runner', max_concurrent_tasks: 100 });
    const { id: workflowId } = await post('/v1/workflows', workflow);
    const load = startLoad({ agentId: agent.id, runnerId: runner.id, workflowId });
    await eventually(() => load.titles.length > 10);
    for (const name of appNames) {
      const before = load.titles.length;
      expect([name, await replace(name)]).toEqual([name, 0]);
      await eventually(() => load.titles.length > before + 10);
    }
    await load.stopClients();
    await eventually(async () => (await countOf(`workflow_runs WHERE status = 'started'`)) === 0);
    await load.stopRunners();
    const failures = [...gateways.failures, ...receivers.failures];
    expect({ unexpected: load.unexpected.slice(0, 5), failures }).toEqual({ unexpected: [], failures: [] });
    expect(load.runs.length).toBeGreaterThan(appNames.length);
    expect(await countOf(`workflow_runs WHERE status = 'completed'`)).toBe(load.runs.length);
    expect(await countOf('tasks')).toBe(load.titles.length);
    await eventually(async () => (await countOf('outbox')) === 0);
    await eventually(async () => (await countOf(`deliveries WHERE status <> 'delivered'`)) === 0);
    const delivered = sink.requests.map(({ body }) => (JSON.parse(body.toString()) as Delivered).data.title);
    expect(delivered.toSorted()).toEqual(load.titles.toSorted());
    expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(load.titles.length);
  });
});
