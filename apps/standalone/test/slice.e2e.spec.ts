import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { eventually, schemaErrors, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimFor, createPatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';
import { type Sent, verified } from './verified.ts';

const test = useTestDatabase();
const samples = resolve(import.meta.dirname, '../../../libs/task-platform/test/samples');
const sample = (name: string) => JSON.parse(readFileSync(join(samples, name), 'utf8')) as Record<string, unknown>;

const platform = { webhook_id: 'slice-webhook', secret: 'the secret of the platform' };
const host = { org_name: 'Codertocat', secret: 'the secret of the source host', labels: { slice: 'qa' } };
const subscriberSecret = `whsec_${randomBytes(24).toString('base64')}`;
const subscribed = [
  'task.created',
  'task.started',
  'task.updated',
  'task.commented',
  'task.completed',
  'pr.opened',
  'pr.merged',
  'workflow.started',
  'workflow.step_completed',
  'workflow.completed',
];
let system: System;
let sink: WebhookSink;

beforeAll(async () => {
  sink = await startWebhookSink();
  // The queues have the same names in every system.
  const redisUrl = ownRedisDatabase(8);
  system = await startSystem({ DATABASE_URL: test.url, REDIS_URL: redisUrl, RECEIVER_ALLOW_UNSIGNED: 'false' });
});
afterAll(async () => {
  await system?.stop();
  await sink?.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
type ApiResponse = { status: number; headers: Headers; body: any };

async function call(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(system.baseUrl + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
const withKey = () => ({ 'x-api-key': system.apiKey });
const get = async (path: string) => (await call('GET', path, undefined, withKey())).body;
const post = (path: string, body: object) =>
  call('POST', path, JSON.stringify(body), { ...withKey(), 'content-type': 'application/json' });
const claim = (agentId: string) =>
  claimFor(createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey }), agentId);
const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

function fromPlatform(body: object, signature?: string): Promise<ApiResponse> {
  const text = JSON.stringify(body);
  return call('POST', '/webhook/taskplatform', text, { 'x-signature': signature ?? hmac(platform.secret, text) });
}

function fromSourceHost(event: string, body: object, secret = host.secret): Promise<ApiResponse> {
  const text = JSON.stringify(body);
  const signature = { 'x-hub-signature-256': `sha256=${hmac(secret, text)}` };
  return call('POST', '/webhook/sourcehost', text, { 'x-github-event': event, ...signature });
}

/** The first webhook of the type that fits, with its signatures verified. */
async function nextWebhook(type: string, fits: (data: Sent['data']) => boolean): Promise<Sent> {
  const request = await sink.waitFor(({ body }) => {
    const sent = JSON.parse(body.toString()) as Sent;
    return sent.event_type === type && fits(sent.data);
  });
  return verified(request, subscriberSecret);
}
const stored = async () =>
  (await test.database.db.query<{ n: number }>('SELECT count(*) AS n FROM inbound_events'))[0]?.n;

describe(`from the platform’s webhook to the subscriber’s, with queues on ${queueBackEnd.kind}`, () => {
  it('is set up by registering a webhook and two integrations', async () => {
    const webhook = { url: `${sink.url}/hook`, events: subscribed, secret: subscriberSecret };
    const registered = await post('/v1/webhooks', webhook);
    expect(registered.status).toBe(201);
    expect(registered.headers.get('location')).toBe(`${system.baseUrl}/v1/webhooks/${registered.body.id}`);
    expect((await post('/v1/integrations', { type: 'taskplatform', ...platform })).status).toBe(201);
    expect((await post('/v1/integrations', { type: 'github', ...host })).status).toBe(201);
  });

  it('refuses what is unsigned, wrongly signed or malformed, and keeps nothing of it', async () => {
    const body = { ...sample('taskCreated.json'), webhook_id: platform.webhook_id };
    const forbidden = { status: 403, body: { error: { code: 'forbidden', message: expect.any(String) } } };
    for (const signature of ['', 'nonsense', hmac('another secret', JSON.stringify(body))])
      expect(await fromPlatform(body, signature)).toMatchObject(forbidden);
    expect(await call('POST', '/webhook/taskplatform', JSON.stringify(body))).toMatchObject(forbidden);
    const text = '{"event":';
    const malformed = await call('POST', '/webhook/taskplatform', text, { 'x-signature': hmac(platform.secret, text) });
    expect([malformed.status, malformed.body.error.code]).toEqual([400, 'invalid_request']);
    expect((await call('POST', '/webhook/unknown', '{}')).status).toBe(404);
    expect(await stored()).toBe(0);
  });

  it('makes a task, lets an agent work on it, reports each step and counts it', async () => {
    const data = { name: 'Fix the login', priority: 2, tags: ['auth'], due_date: '2027-01-31T10:00:00Z' };
    const body = { ...sample('taskCreated.json'), webhook_id: platform.webhook_id, data };
    const accepted = await fromPlatform(body);
    expect([accepted.status, accepted.body]).toEqual([200, { ok: true }]);
    const created = await nextWebhook(
      'task.created',
      ({ metadata }) => metadata.ticket_id === body['task_id' as never],
    );
    const { task_id: taskId } = created.data;
    const task = await get(`/v1/tasks/${taskId}`);
    const expected = { title: data.name, priority: 'high', tags: data.tags, due_date: data.due_date };
    expect(task).toMatchObject({ ...expected, status: 'created', activity: [] });
    expect(created.data).toMatchObject({ id: taskId, ...expected, created_at: task.created_at });

    const agent = (await post('/v1/agents', { name: 'Ada', role: 'rd' })).body;
    const { lease } = await claim(agent.id);
    const underLease = (verb: string, more: object) =>
      post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...more });
    const started = await nextWebhook('task.started', ({ task_id: id }) => id === taskId);
    expect(started.data).toEqual({ task_id: taskId, title: data.name, assigned_agent: agent.id });
    expect((await underLease('progress', { percent_complete: 50, comment: 'Half way.' })).status).toBe(200);
    await nextWebhook('task.commented', ({ content }) => content === 'Half way.');
    expect((await underLease('complete', { summary: 'Done.', scores: { code_quality: 90 } })).status).toBe(200);

    const isCounted = async () => {
      const { tasks, agents } = await get('/v1/analytics/performance?period=day');
      return tasks.completed === 1 && tasks.in_progress === 0 && Object.keys(agents).includes('rd');
    };
    await eventually(isCounted);
    const completed = await nextWebhook('task.completed', ({ task_id: id }) => id === taskId);
    const shown = await get(`/v1/tasks/${taskId}`);
    expect(completed.data).toEqual({
      task_id: taskId,
      title: data.name,
      completed_by: agent.id,
      completion_time: shown.activity.at(-1).timestamp,
      summary: 'Done.',
      result: null,
    });
    expect(shown).toMatchObject({ status: 'completed', assigned_agent: agent.id });
    expect(shown.activity.map(({ type }: { type: string }) => type)).toEqual([
      'status_change',
      'comment',
      'status_change',
    ]);
    const { tasks } = await get('/v1/analytics/performance?period=day');
    expect(tasks).toMatchObject({ total: 1, completed: 1, completion_rate: 1 });
    expect((await get(`/v1/agents/${agent.id}`)).stats).toMatchObject({ tasks_completed: 1, code_quality_score: 90 });
  });

  it('applies a change once, however often the platform sends it', async () => {
    const ids = { webhook_id: platform.webhook_id, task_id: 'slice-2' };
    await fromPlatform({ event: 'taskCreated', ...ids, data: { name: 'Before' } });
    await nextWebhook('task.created', ({ title }) => title === 'Before');
    const body = {
      event: 'taskUpdated',
      ...ids,
      data: { name: 'After' },
      history_items: [{ id: 'h-1', field: 'name', after: 'After', date: String(Date.now()) }],
    };
    for (let time = 0; time < 3; time += 1) expect((await fromPlatform(body)).status).toBe(200);
    const updated = await nextWebhook('task.updated', ({ title }) => title === 'After');
    expect(updated.data.changed).toContain('title');
    expect((await get(`/v1/tasks/${updated.data.task_id}`)).title).toBe('After');
    const all = (await get('/v1/tasks?title=After')).metadata.total;
    expect(all).toBe(1);
  });

  it('follows a pull request that names its task from being opened to the merge', async () => {
    const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
      name: string;
      examples: Record<string, ApiResponse['body']>[];
    }[];
    const opened = examples
      .find(({ name }) => name === 'pull_request')
      ?.examples.find(({ action }) => action === 'opened');
    if (!opened) throw new Error('there is no example of an opened pull request');
    const { id: taskId } = (await post('/v1/tasks', { title: 'Slice', description: 'x' })).body;
    const { pull_request: pull, repository } = opened;
    const named = { ...opened, pull_request: { ...pull, body: `For ${taskId}` } };
    const refused = await fromSourceHost('pull_request', named, 'another secret');
    expect(refused.status).toBe(403);
    const accepted = await fromSourceHost('pull_request', named);
    expect([accepted.status, accepted.body]).toEqual([200, { ok: true }]);
    const event = await nextWebhook('pr.opened', () => true);
    expect(event.data).toEqual({
      repository: repository['full_name'],
      number: pull['number'],
      title: pull['title'],
      url: pull['html_url'],
      author: pull['user'].login,
      branch: pull['head'].ref,
      task_id: taskId,
    });
    const end = { state: 'closed', merged: true, updated_at: '2026-11-20T10:00:00Z' };
    const merged = { ...named, action: 'closed', pull_request: { ...named.pull_request, ...end } };
    for (let turn = 0; turn < 2; turn += 1) await fromSourceHost('pull_request', merged);
    await nextWebhook('pr.merged', (data) => data.task_id === taskId);
    const { artifacts } = await get(`/v1/tasks/${taskId}`);
    expect(artifacts).toMatchObject([{ kind: 'pull_request', url: pull['html_url'] }]);
    const entries = await get(`/v1/tasks/${taskId}/timeline?type=pull_request&sort=seq`);
    expect(entries.data).toMatchObject([{ action: 'opened' }, { action: 'merged' }]);
  });

  it('makes a task of an issue that is labelled for a role', async () => {
    const issue = {
      number: 7,
      title: 'Loops',
      html_url: 'https://github.com/x/y/issues/7',
      labels: [{ name: 'Slice' }],
    };
    const repository = { full_name: 'Codertocat/y', owner: { login: 'Codertocat' } };
    await fromSourceHost('issues', { action: 'labeled', repository, issue });
    const { data } = await nextWebhook('task.created', ({ metadata }) => metadata.ticket_id === 'Codertocat/y#7');
    expect(data).toMatchObject({ title: 'Loops', assigned_role: 'qa', tags: ['Slice'] });
  });

  it('runs a workflow from step to step as agents complete them, and reports each', async () => {
    const role = 'slice-steps';
    const task = (title: string) => ({ title, description: 'Do it.' });
    const steps = [
      { id: 'build', name: 'Build', role, task: task('Build {{run.name}}') },
      { id: 'ship', name: 'Ship', role, needs: ['build'], task: task('Ship {{steps.build.result.sha}}') },
    ];
    const agent = (await post('/v1/agents', { name: 'Grace', role })).body;
    const definition = { name: 'Slice', description: 'Two steps.', estimated_duration: '1 hour', steps };
    const { id } = (await post('/v1/workflows', definition)).body;
    const run = (await post(`/v1/workflows/${id}/start`, { name: 'Login' })).body;
    expect(run).toMatchObject({ status: 'started', current_step: { name: 'Build', assignee: agent.id } });
    const titles: string[] = [];
    while (titles.length < steps.length) {
      const { task: claimed, lease } = await claim(agent.id);
      const outcome = { fencing_token: lease.fencing_token, result: { sha: 'a1' } };
      expect((await post(`/v1/leases/${lease.lease_id}/complete`, outcome)).status).toBe(200);
      // What the platform brought has no role: it may come between.
      if (claimed.assigned_role === role) titles.push(claimed.title);
    }
    expect(titles).toEqual(['Build Login', 'Ship a1']);
    const isOfRun = (data: Sent['data']) => data.workflow_run_id === run.workflow_run_id;
    const webhookOfRun = (type: string, step?: string) =>
      nextWebhook(type, (data) => isOfRun(data) && (step === undefined || data.step_name === step));
    const common = { workflow_run_id: run.workflow_run_id, workflow_id: id, name: 'Login' };
    expect((await webhookOfRun('workflow.started')).data).toMatchObject(common);
    for (const step of ['Build', 'Ship'])
      expect((await webhookOfRun('workflow.step_completed', step)).data).toMatchObject({
        ...common,
        completed_by: agent.id,
      });
    const completed = await webhookOfRun('workflow.completed');
    const shown = await get(`/v1/runs/${run.workflow_run_id}`);
    expect(completed.data).toEqual({ ...common, completion_time: shown.finished_at });
    expect(shown).toMatchObject({ status: 'completed', steps: [{ status: 'completed' }, { status: 'completed' }] });
  });

  it('sends each event once', async () => {
    await eventually(async () => (await countPending()) === 0);
    const ids = sink.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sends what its contract describes', async () => {
    const document = await get('/v1/openapi.json');
    for (const request of sink.requests) {
      const sent = await verified(request, subscriberSecret);
      const { schema } = document.webhooks[sent.event_type].post.requestBody.content['application/json'];
      expect([sent.event_type, schemaErrors(document, schema, sent)]).toEqual([sent.event_type, []]);
    }
    expect(new Set(sink.requests.map(({ body }) => JSON.parse(body.toString()).event_type))).toEqual(
      new Set(subscribed),
    );
  });
});

async function countPending(): Promise<number | undefined> {
  const [row] = await test.database.db.query<{ n: number }>(
    "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM deliveries WHERE status <> 'delivered') AS n",
  );
  return row?.n;
}
