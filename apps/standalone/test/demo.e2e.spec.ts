import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OwnSystem } from '@eas/testing/own-system';
import { startWatchedSystem } from '@eas/testing/watched-system';

const root = resolve(import.meta.dirname, '../../..');
const dataDir = mkdtempSync(join(tmpdir(), 'eas-demo-'));
let system: OwnSystem;
beforeAll(async () => {
  system = await startWatchedSystem(process.env, { DATA_DIR: dataDir, WEBHOOK_RETRY_SCHEDULE: '1,2,5,10' });
});
afterAll(async () => {
  await system?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-api-key': system.apiKey, 'content-type': 'application/json' };
  const response = await fetch(system.baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const result = { path, ok: response.ok, body: await response.json() };
  expect(result).toMatchObject({ ok: true });
  return result.body;
}

/**
 * Runs a program of this repository as an operator of the system would, without blocking this process: the system closes
 * connections that are idle for long, which has to be noticed.
 */
async function run(file: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, ...more };
  const flags = ['--disable-warning=ExperimentalWarning', join(root, file), ...args];
  const child = spawn(process.execPath, flags, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
  const [status, ...printed] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, output: printed.join('') };
}

const shown = ['agents', 'tasks', 'workflows', 'runs', 'webhooks', 'integrations'];
async function everything() {
  const lists = await Promise.all(shown.map((list) => call('GET', `/v1/${list}?limit=100`)));
  const { tasks, agents } = await figures();
  return {
    lists,
    tasks,
    agents,
    events: (await events()).filter(({ event_type }) => !event_type.startsWith('tenant.')),
  };
}

type Event = { event_type: string; data: { slug?: string } };
const events = async () => ((await call('GET', '/v1/events?limit=100')) as { data: Event[] }).data;

type Figures = { tasks: { total: number }; agents: unknown };
const figures = () => call('GET', '/v1/analytics/performance?period=year') as Promise<Figures>;

/** The one task is planned and counted. */
async function isSettled(): Promise<boolean> {
  const isPlanned = JSON.stringify(await call('GET', '/v1/tasks')).includes('"assigned_agent":"agt_');
  return isPlanned && (await figures()).tasks.total === 1;
}

it('the demo changes nothing of a system in use, needs no key of it, and leaves no tenant behind', async () => {
  await call('POST', '/v1/tasks', { title: 'Ours', description: 'Not for the demo.', assigned_role: 'rd' });
  await call('POST', '/v1/agents', { name: 'Ours', role: 'rd' });
  while (!(await isSettled())) await new Promise((resolve) => setTimeout(resolve, 50));
  const before = await everything();
  const { status, output } = await run('tools/demo/main.ts', [], { BASE_URL: system.baseUrl });
  expect(output).toMatch(/verdict: all \d+ expectations met/);
  expect(status).toBe(0);
  expect(await everything()).toEqual(before);
  const slug = /in a tenant of its own, ([\w-]+),/.exec(output)?.[1] ?? 'no tenant';
  // The operator's tenant has the events about the installation's tenants.
  const ofTenants = (await events()).filter(({ data }) => data.slug === slug).map(({ event_type }) => event_type);
  expect(ofTenants).toEqual(['tenant.deleted', 'tenant.usage_recorded', 'tenant.created']);
  const again = await run('apps/standalone/src/commands/cmd.ts', ['tenant:delete', slug, '--yes']);
  expect(again).toEqual({ status: 1, output: `Unknown tenant: ${slug}.\n` });
});

it('the demo refuses a system whose database the operator commands do not reach, and leaves nothing there', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'eas-demo-'));
  try {
    const { status, output } = await run('tools/demo/main.ts', [], { BASE_URL: system.baseUrl, DATA_DIR: elsewhere });
    expect([status, output]).toEqual([1, expect.stringContaining('set its DATA_DIR or DATABASE_URL')]);
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});
