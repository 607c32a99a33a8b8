// Sections 4 and 6: outgoing webhooks, as a receiver gets them.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { call, eventually, type Json, post, remove, run } from './call.ts';
import { assertForm, exactly, itHas, matching, object, text, timestamp } from './forms.ts';
import { completeTask, makeAgent, makeTask, roleOf } from './work.ts';

type Delivery = { path: string; headers: IncomingHttpHeaders; raw: string; body: Json };

const types = ['task.created', 'task.completed', 'pr.opened'];
const secret = 'a-secret-that-both-sides-know';
const title = `Completed in ${run}`;
const org = `org-${run}`;

async function openPullRequest(): Promise<void> {
  const repository = { name: 'web', full_name: `${org}/web`, owner: { login: org } };
  const pull_request = {
    title: 'Limit logins',
    html_url: `https://example.com/${org}/web/pull/7`,
    user: { login: 'ada' },
    state: 'open',
    head: { ref: 'login-limits' },
  };
  const body = JSON.stringify({ action: 'opened', number: 7, repository, pull_request });
  const headers = {
    'X-GitHub-Event': 'pull_request',
    'X-GitHub-Delivery': run,
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  const { status, text: reply } = await call('/webhook/sourcehost', { key: null, headers, body });
  assert.equal(status, 200, reply);
}

describe('outgoing webhooks', () => {
  const deliveries: Delivery[] = [];
  const made: string[] = [];
  let server: Server;
  let taskId = '';
  const at = (path: string): Delivery[] => deliveries.filter((delivery) => delivery.path === path);
  const of = (type: string): Delivery | undefined => at('/all').find(({ body }) => body.event_type === type);
  const isOurs = ({ data }: Json): boolean => data.title === title;

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        deliveries.push({ path: request.url ?? '', headers: request.headers, raw, body: JSON.parse(raw) });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [path, events] of [
      ['all', types],
      ['completed', ['task.completed']],
    ]) {
      const { id } = await post('/v1/webhooks', { url: `${url}/${path}`, events, secret });
      made.push(`/v1/webhooks/${id}`);
    }
    const { id } = await post('/v1/integrations', { type: 'github', org_name: org, repositories: [], secret });
    made.push(`/v1/integrations/${id}`);
    const role = roleOf('events');
    const agent = await makeAgent({ role });
    taskId = (await makeTask({ title, assigned_role: role })).id;
    await completeTask(agent.id, taskId);
    await openPullRequest();
    await eventually(
      async () => deliveries.length,
      () => types.every(of) && at('/completed').length > 0,
    );
  });
  after(async () => {
    for (const path of made) await remove(path);
    server.closeAllConnections();
    server.close();
  });

  describe('4 POST /v1/webhooks', () => {
    it('url of a webhook is the address that receives events', () => assert.ok(at('/all').length > 0));
    it('events of a webhook are the types that are sent', () => {
      const sent = (path: string) => [...new Set(at(path).map(({ body }) => body.event_type))].toSorted();
      assert.deepEqual([sent('/all'), sent('/completed')], [types.toSorted(), ['task.completed']]);
    });
  });

  describe('6 events', () => {
    for (const type of types) it(`${type} is an event type`, () => assert.equal(of(type)?.body.event_type, type));
    it('the payload has event_type, event_id, timestamp and data alone', () => {
      assert.ok(deliveries.length > 0);
      for (const { body } of deliveries)
        assert.deepEqual(Object.keys(body).toSorted(), ['data', 'event_id', 'event_type', 'timestamp']);
    });
    for (const type of types)
      describe(`6 payload of ${type}`, () =>
        itHas(`the payload of ${type}`, () => of(type)?.body, {
          event_type: text,
          event_id: text,
          timestamp,
          data: object,
        }));
  });

  describe('6 data of task.completed', () => {
    const data = (): Json => at('/completed').find(({ body }) => isOurs(body))?.body.data;
    itHas('the data of task.completed', data, {
      task_id: text,
      title: exactly(title, 'the title of the task'),
      completed_by: text,
      completion_time: timestamp,
    });
    it('task_id of task.completed is the id of the task', () => assert.equal(data().task_id, taskId));
  });

  describe('6 signature', () => {
    it('X-Service-Signature of each delivery has the form sha256=<signature>', () => {
      assert.ok(deliveries.length > 0);
      for (const { headers } of deliveries)
        assertForm(headers['x-service-signature'], matching('sha256=<signature>', /^sha256=.+$/));
    });
    it('X-Service-Signature is the HMAC-SHA256 of the payload with the secret', () => {
      assert.ok(deliveries.length > 0);
      for (const { headers, raw } of deliveries) {
        const digest = createHmac('sha256', secret).update(raw).digest('hex');
        assert.equal(headers['x-service-signature'], `sha256=${digest}`);
      }
    });
  });
});
