import { createUser } from '@eas/access';
import { type Scope, scopes } from '@eas/contracts';
import { consumeEvents, type QueueWorker, startWorker } from '@eas/queue';
import { eventually, silentLogger } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inBrowser, visitAs } from '../chromium.ts';
import { type ApiResponse, type Json, useGateway } from '../gateway.ts';

let worker: QueueWorker;
// Before the queues close.
afterAll(() => worker.drain(2_000));

const gateway = useGateway({ queues: { open: async () => testQueues.queues, close: async () => {} } });
const testQueues = useQueues(gateway.test);
const password = 'a few words in a row';
const session = '/admin/api/session';
const root = '/admin/queues';

type Person = { email: string; password: string; headers: Record<string, string>; csrf: Record<string, string> };
let admin: Person;
let viewer: Person;
let stranger: Person;
let worked: string[] = [];
let isBroken = true;

async function signIn(name: string, own: readonly Scope[], tenantId?: string): Promise<Person> {
  const email = `${name}@example.com`;
  const ctx = gateway.test.context(tenantId === undefined ? {} : { tenantId });
  await createUser(ctx, { body: { email, name, password, scopes: [...own] }, scopes });
  const response = await gateway.post(session, { email, password }, { key: null });
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { email, password, headers: { cookie }, csrf: { cookie, 'x-xsrf-token': response.body.csrf_token } };
}

beforeAll(async () => {
  admin = await signIn('admin', scopes);
  viewer = await signIn('viewer', ['events:read']);
  stranger = await signIn('stranger', scopes, await gateway.test.createTenant());
  const nothing = async () => {};
  worker = await startWorker(
    testQueues.queues,
    'webhooks',
    {
      'fan_out.follow': consumeEvents('fan_out.follow', nothing),
      'event.fan_out': consumeEvents('event.fan_out', nothing),
      'chat.question': consumeEvents('chat.question', nothing),
      'delivery.send': async (_ctx, { event_ids: ids }) => {
        if (isBroken) throw new Error('<b>the receiver is gone</b>');
        worked.push(...ids);
      },
    },
    { makeContext: (job) => gateway.test.context(job), concurrency: 2, logger: silentLogger },
  );
});

/** A failed job; gives the path of its acts. */
async function failJob(eventId: string): Promise<string> {
  isBroken = true;
  const payload = { tenant_id: 'tnt_other', endpoint_id: 'whk_1', event_ids: [eventId] };
  await testQueues.queues.send([{ job: 'delivery.send', payload }]);
  let job: Json;
  await eventually(async () => {
    job = (await failed()).jobs.find(({ data }: Json) => data.event_ids[0] === eventId);
    return job !== undefined;
  });
  isBroken = false;
  return `${root}/api/queues/webhooks/${job.id}`;
}
const get = (path: string, person: Person = admin) => gateway.get(path, { key: null, headers: person.headers });
const put = (path: string, headers: Record<string, string>): Promise<ApiResponse> =>
  gateway.send('PUT', path, undefined, { key: null, headers });
const queuesPath = `${root}/api/queues?activeQueue=webhooks&status=failed&page=1&jobsPerPage=20`;
const failed = async () => (await get(queuesPath)).body.queues.find(({ name }: Json) => name === 'webhooks');
const acts = async (): Promise<Json[]> => (await gateway.get('/admin/api/audit?action=queue.changed')).body.data;

beforeEach(() => {
  worked = [];
});

describe('the queues', () => {
  it('are shown to people of the operator, with their jobs and why they failed', async () => {
    await failJob('evt_shown');
    for (const person of [admin, viewer]) {
      const { body, status } = await get(queuesPath, person);
      expect([status, body.queues.map(({ name }: Json) => name).sort()]).toEqual([
        200,
        ['analytics', 'webhooks', 'workflow'],
      ]);
      const webhooks = body.queues.find(({ name }: Json) => name === 'webhooks');
      expect(webhooks).toMatchObject({ readOnlyMode: person === viewer, counts: { failed: expect.any(Number) } });
      expect(webhooks.jobs[0]).toMatchObject({
        name: 'delivery.send',
        data: { event_ids: ['evt_shown'] },
        failedReason: '<b>the receiver is gone</b>',
      });
    }
    const stats = await get(`${root}/api/redis/stats`);
    expect(stats.body).toMatchObject({ backend: testQueues.backend });
  });

  it('are refused without a session, by key as well, and send a browser to sign in and back', async () => {
    const open = await gateway.get(queuesPath, { key: null });
    expect(open.status).toBe(401);
    expect((await gateway.get(queuesPath)).status).toBe(403);
    const page = await fetch(`${gateway.address()}${root}/queue/webhooks`, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      '/sign-in?return_to=%2Fadmin%2Fqueues%2Fqueue%2Fwebhooks',
    ]);
  });

  it('are neither visible nor changeable for administrators of other tenants', async () => {
    const job = await failJob('evt_foreign');
    const page = await fetch(`${gateway.address()}${root}`, { headers: stranger.headers });
    expect([page.status, await page.text()]).toEqual([403, expect.not.stringContaining('__UI_CONFIG__')]);
    for (const response of [await get(queuesPath, stranger), await put(`${job}/retry`, stranger.csrf)]) {
      expect(response.status).toBe(403);
      expect(response.text).not.toContain('evt_');
    }
    expect((await gateway.get(session, { key: null, headers: stranger.headers })).body.is_operator).toBe(false);
    expect((await gateway.get(session, { key: null, headers: viewer.headers })).body.is_operator).toBe(true);
  });

  it('let an administrator retry and remove failed jobs, and write down who did', async () => {
    const [again, gone] = [await failJob('evt_again'), await failJob('evt_gone')];
    const before = (await acts()).length;
    expect((await put(`${again}/retry`, admin.csrf)).status).toBe(204);
    await eventually(async () => worked.includes('evt_again'));
    expect((await put(`${gone}/clean`, admin.csrf)).status).toBe(204);
    expect((await get(gone)).status).toBe(404);
    const [removed, retried] = await acts();
    expect((await acts()).length).toBe(before + 2);
    expect(retried.data).toEqual({ act: 'retry', queueName: 'webhooks', jobId: again.split('/').at(-1) });
    expect(removed).toMatchObject({
      data: { act: 'remove' },
      target_id: null,
      actor_id: expect.stringMatching(/^usr_/),
    });
  });

  it('are not changed with read scopes alone, nor by a request without the token of the session', async () => {
    const job = await failJob('evt_kept');
    const before = (await acts()).length;
    for (const headers of [viewer.csrf, admin.headers, { ...admin.headers, 'x-xsrf-token': 'a'.repeat(43) }])
      expect((await put(`${job}/retry`, headers)).status).toBe(403);
    expect((await get(job)).body.status).toBe('failed');
    expect((await acts()).length).toBe(before);
  });

  it('get no jobs, data or limits by hand: the service makes them', async () => {
    const job = await failJob('evt_edited');
    const changes = [
      ['POST', `${root}/api/queues/webhooks/add`, { name: 'delivery.send', data: {} }],
      ['PATCH', `${job}/update-data`, { data: {} }],
      ['PUT', `${root}/api/queues/webhooks/obliterate`, { force: true }],
      ['PUT', `${root}/api/queues/webhooks/concurrency`, { concurrency: 1 }],
    ] as const;
    for (const [method, path, body] of changes) {
      const response = await gateway.send(method, path, JSON.stringify(body), { key: null, headers: admin.csrf });
      expect([path, response.status]).toEqual([path, 403]);
    }
    expect((await get(job)).body.job.data.event_ids).toEqual(['evt_edited']);
  });

  it('are paused and resumed', async () => {
    const pause = `${root}/api/queues/webhooks`;
    expect((await put(`${pause}/pause`, admin.csrf)).status).toBe(200);
    expect((await failed()).isPaused).toBe(true);
    expect((await put(`${pause}/resume`, admin.csrf)).status).toBe(200);
    expect((await failed()).isPaused).toBe(false);
  });
});

describe('the page of the queues', () => {
  inBrowser('runs under its policy, retries a job for people with the right, and offers others nothing', async () => {
    await failJob('evt_clicked');
    const path = `${root}/queue/webhooks?status=failed`;
    const complaints = await visitAs([viewer, admin], { address: gateway.address(), path }, async (page, person) => {
      await page.getByText('<b>the receiver is gone</b>').first().waitFor();
      const retry = page.getByRole('button', { name: 'Retry all' });
      if (person === viewer) return expect(await retry.count()).toBe(0);
      await retry.click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await eventually(async () => worked.includes('evt_clicked'));
    });
    expect(complaints).toEqual([]);
  });
});
