import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { type SourceHost, startSourceHost } from '@eas/testing/source-host';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimFor, createPatientClient, type PatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';

const test = useTestDatabase();
/** For hangs alone. */
const timeoutMs = 300_000;
let passedSeconds = 0;
/** What a dead process has claimed is free after a minute. */
const passMinute = () => test.shiftClock((passedSeconds += 61));
const posted = { status: 200, body: '{"ok":true,"channel":"C1","ts":"1700000000.000100"}' };
let system: System;
let client: PatientClient;
let chat: WebhookSink;
let platform: WebhookSink;
let sourceHost: SourceHost;

beforeAll(async () => {
  [chat, platform] = [await startWebhookSink(), await startWebhookSink()];
  sourceHost = await startSourceHost();
  system = await startSystem({
    DATABASE_URL: test.url,
    REDIS_URL: ownRedisDatabase(10),
    CHAT_API_URL: chat.url,
    PLATFORM_API_URL: platform.url,
    SOURCE_HOST_API_URL: sourceHost.url,
  });
  client = createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey });
}, timeoutMs);
afterAll(async () => {
  await system?.stop();
  await chat?.close();
  await platform?.close();
  await sourceHost?.close();
});

const at = Date.now() - 1_000_000;
const pageSize = 100;
const taskCount = 250;
const tasks = Array.from({ length: taskCount }, (_, index) => ({
  id: `t${index}`,
  name: `Task ${index}`,
  text_content: 'Text.',
  date_updated: String(at + index),
  status: { status: 'to do', type: 'open' },
}));

/** Lists tasks as a platform does: by date, a page at a time. */
function listed(path: string) {
  const { pathname, searchParams: query } = new URL(path, platform.url);
  const json = (body: object) => ({ status: 200, body: JSON.stringify(body) });
  if (pathname === '/team') return json({ teams: [{ id: '9' }] });
  const number = (name: string) => Number(query.get(name));
  const found = tasks.filter(
    ({ date_updated: date }) => +date > number('date_updated_gt') && +date < number('date_updated_lt'),
  );
  const from = number('page') * pageSize;
  return json({ tasks: found.slice(from, from + pageSize), last_page: from + pageSize >= found.length });
}

describe(`a system whose processes are killed in the middle of a call, with queues on ${queueBackEnd.kind}`, () => {
  it(
    'posts the chat message that the dispatcher was posting, and once in all',
    async () => {
      chat.respondWith((_request, number) => (number === 1 ? { kind: 'hang' } : posted));
      const body = { type: 'slack', workspace_name: 'acme', token: 'xoxb', channels: ['C1'], events: ['task.created'] };
      const { id } = (await client.post('/v1/integrations', body)).body;
      await client.post('/v1/tasks', { title: 'Killed', description: 'x' });
      await chat.received(1);
      system.kill('webhook-dispatcher');
      await passMinute();
      const messages = async () => (await client.get(`/v1/integrations/${id}/messages`)).body.data;
      await eventually(async () => (await messages())[0]?.state === 'posted', timeoutMs);
      expect(await messages()).toMatchObject([{ event_type: 'task.created', state: 'posted' }]);
      expect(chat.requests).toHaveLength(2);
    },
    timeoutMs,
  );

  it(
    'completes the reconciliation that the orchestrator was making, and repairs each task once',
    async () => {
      let pages = 0;
      platform.respondWith(({ path }) => {
        if (path.includes('/task?')) pages += 1;
        return pages === 2 && path.includes('/task?') ? { kind: 'hang' } : listed(path);
      });
      const body = { type: 'taskplatform', secret: 'a secret of this platform', token: 'pk_token' };
      const { id } = (await client.post('/v1/integrations', body)).body;
      const started = await client.post(`/v1/integrations/${id}/reconcile`, { since: new Date(at - 1).toISOString() });
      expect(started.status).toBe(202);
      await eventually(() => pages >= 2, timeoutMs);
      system.kill('workflow-orchestrator');
      const job = async () => (await client.get(`/v1/reconciliations/${started.body.id}`)).body;
      expect(await job()).toMatchObject({ status: 'running', created: pageSize });
      await passMinute();
      await eventually(async () => (await job()).status !== 'running', timeoutMs);
      expect(await job()).toMatchObject({ status: 'completed', created: taskCount, failed: 0 });
      const count = `SELECT count(*)::int AS n FROM task_links WHERE integration_ref = $1`;
      expect(await test.database.db.query(count, [id])).toEqual([{ n: taskCount }]);
    },
    timeoutMs,
  );

  it(
    'opens the pull request that the orchestrator was opening, and once in all',
    async () => {
      sourceHost.respondWith(({ method }) => (method === 'POST' ? 'hang' : undefined));
      const post = async (path: string, body: object) => {
        const response = await client.post(path, body);
        expect(response.status).toBeLessThan(300);
        return response.body;
      };
      const url = `${sourceHost.url}/acme/web.git`;
      await post('/v1/integrations', {
        type: 'github',
        org_name: 'acme',
        secret: 'a secret of this host',
        token: 'ghp',
      });
      const project = (await post('/v1/projects', { name: 'Killed', repositories: [{ url }] })).id;
      const agent = (await post('/v1/agents', { name: 'Ada', role: 'killed' })).id;
      const task = { title: 'Killed', description: 'x', assigned_role: 'killed', project };
      const { id } = await post('/v1/tasks', task);
      // Without the project it is one that another test left, while a planner has this one locked.
      const { lease } = await claimFor(client, agent, { projects: [project] });
      const { fencing_token, lease_id } = lease;
      const data = { repository: url, branch: `task/${id}`, pushed: true };
      await post(`/v1/leases/${lease_id}/artifacts`, { fencing_token, kind: 'branch', title: 'web', sha: 'abc', data });
      await post(`/v1/leases/${lease_id}/complete`, { fencing_token, summary: 'Done.' });
      await eventually(() => sourceHost.pullRequests.length > 0, timeoutMs);
      system.kill('workflow-orchestrator');
      await passMinute();
      const opened = async () =>
        (await client.get(`/v1/tasks/${id}/artifacts?kind=pull_request`)).body.data as { url: string }[];
      await eventually(async () => (await opened()).length > 0, timeoutMs);
      expect(await opened()).toMatchObject([{ url: `${sourceHost.url}/acme/web/pull/1` }]);
      expect(sourceHost.methods().filter((method) => method !== 'GET')).toEqual(['POST']);
    },
    timeoutMs,
  );
});
