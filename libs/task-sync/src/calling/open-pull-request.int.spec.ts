import { decideByHand, retryTask } from '@eas/tasks';
import { eventually, useTestDatabase } from '@eas/testing';
import { type SourceHost, startSourceHost } from '@eas/testing/source-host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene } from '../../test/inbound-scene.ts';
import { callsOf, forgetCalls, passTime, platformCaller } from '../../test/platform-scene.ts';
import { pushedBranch, pushedTaskScene } from '../../test/pushed-task-scene.ts';
import { changeIntegration, getIntegration } from '@eas/integrations';

const test = useTestDatabase();
let host: SourceHost;
beforeAll(async () => {
  host = await startSourceHost();
});
afterAll(() => host.close());

let scene: Awaited<ReturnType<typeof pushedTaskScene>>;
let caller: ReturnType<typeof platformCaller>;
beforeEach(async () => {
  host.reset();
  await forgetCalls(test);
  caller = platformCaller(test, host.url);
  scene = await pushedTaskScene(test);
});

/** A task that its agent has completed with a pushed branch, which the consumer has handled. */
async function pushed(over?: Parameters<typeof pushedBranch>[1]): Promise<string> {
  const taskId = await scene.newTask();
  await scene.work(pushedBranch(taskId, over));
  await scene.consume();
  return taskId;
}
const calls = () => callsOf(test, scene.tenantId);
const artifactsOf = async (taskId: string) =>
  (await scene.shown(taskId)).artifacts.filter(({ kind }) => kind === 'pull_request').map(({ url }) => url);
const urlOf = (number: number) => `${host.url}/acme/web/pull/${number}`;
const events = async () =>
  (
    await test.database.db.query<{ type: string }>(
      `SELECT event_type AS type FROM events WHERE tenant_id = $1 AND event_type LIKE 'pr.%' ORDER BY event_id`,
      [scene.tenantId],
    )
  ).map(({ type }) => type);
const again = async () => {
  await passTime(test, scene.tenantId);
  await caller.run();
};
const isAsked = ({ method, path }: { method: string; path: string }) => method === 'GET' && /\/pulls\/\d+$/.test(path);
/** Questions whether the pull request can be merged. */
const asked = () => host.requests.filter(isAsked).length;
/** The methods of all other requests. */
const written = () => host.requests.filter((request) => !isAsked(request)).map(({ method }) => method);

describe('the pushed branch of a completed task', () => {
  it('gets one pull request, which is an artifact of the task, also when it is reported again', async () => {
    const taskId = await pushed();
    await caller.run();
    expect(host.pullRequests).toMatchObject([
      { repository: 'acme/web', title: 'Limit logins', head: { ref: `task/${taskId}` }, base: 'main' },
    ]);
    expect(host.pullRequests[0]?.body).toMatch(/Five a minute\.[^]*passed {2}tests\nfailed {2}lint[^]*3 files changed/);
    expect(host.requests[0]?.headers).toMatchObject({ authorization: 'Bearer ghp_token' });
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
    expect(await events()).toEqual(['pr.opened']);
    await scene.consume();
    await again();
    expect(await calls()).toMatchObject([{ kind: 'pull_request', state: 'done', externalId: 'acme/web' }]);
    expect(await events()).toEqual(['pr.opened']);
    expect(written()).toEqual(['GET', 'POST']);
  });

  it.each(['before', 'after'])('is there once when the webhook arrives %s the response', async (order) => {
    const taskId = await pushed();
    const webhook = async () => {
      const { number = 0, title, body, head, updatedAt = '' } = host.pullRequests[0] ?? {};
      const shown = { title, body, head, html_url: urlOf(number), state: 'open', updated_at: updatedAt };
      const pull_request = { ...shown, user: { login: 'the-service' } };
      const repository = { full_name: 'acme/web' };
      const inbound = inboundScene(test);
      const sent = { action: 'opened', number, pull_request, repository, sender: { login: 'the-service' } };
      await inbound.sendSourceHost('pull_request', sent, { secret: scene.secret, to: scene.integrationId });
      await inbound.apply(scene.tenantId);
    };
    if (order === 'before') host.respondWith(({ method }) => (method === 'POST' ? 'cut' : undefined));
    await caller.run();
    await webhook();
    host.respondWith(() => undefined);
    await again();
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
    expect(await events()).toEqual(['pr.opened']);
    expect(host.pullRequests).toHaveLength(1);
    expect(await calls()).toMatchObject([{ state: 'done' }]);
  });

  it.each([
    ['another branch', { branch: 'main' }],
    ['a branch that was not pushed', { pushed: false }],
    ['a repository that its project does not have', { repository: 'https://code.example/acme/other' }],
  ])('gets none for %s', async (_, over) => {
    await pushed({ over });
    expect(await calls()).toEqual([]);
  });

  it.each([
    ['has no token', { token: null }, 'code.example'],
    ['has another owner', { org_name: 'other' }, 'code.example'],
    ['lists other repositories', { repositories: ['api'] }, 'code.example'],
    ['is of another host', {}, 'github.com'],
  ])('gets none where the integration %s', async (_, integration, at) => {
    scene = await pushedTaskScene(test, { integration });
    const taskId = await scene.newTask();
    await scene.work(pushedBranch(taskId));
    await scene.consume(at);
    expect(await calls()).toEqual([]);
  });

  it('gets none after a later attempt that could not push', async () => {
    const taskId = await scene.newTask();
    await scene.work([...pushedBranch(taskId), ...pushedBranch(taskId, { sha: 'sha-2', over: { pushed: false } })]);
    await scene.consume();
    expect(await calls()).toEqual([]);
  });

  it('gets one in each repository of its project, whatever else agents attach', async () => {
    const repositories = ['https://code.example/acme/web.git', 'git@code.example:acme/api.git'];
    scene = await pushedTaskScene(test, { repositories });
    const taskId = await scene.newTask();
    const strange = [
      { kind: 'branch', title: 'bare' },
      { kind: 'branch', title: 'strange', data: { repository: 7, branch: [], pushed: 'yes' } },
      { kind: 'diff', title: 'strange', sha: 'sha-1', data: { repository: repositories[0], files_changed: 'all' } },
      { kind: 'test_report', title: 'strange', sha: 'sha-1', data: { repository: repositories[0], checks: { a: 1 } } },
    ] as const;
    const other = pushedBranch(taskId, { over: { repository: 'ssh://git@code.example/Acme/API' } });
    await scene.work([...pushedBranch(taskId), ...other, ...strange]);
    await scene.consume();
    await caller.run();
    expect(host.pullRequests.map(({ repository }) => repository).sort()).toEqual(['acme/api', 'acme/web']);
    expect(await artifactsOf(taskId)).toHaveLength(2);
  });

  it('gets it by the integration that lists its repository', async () => {
    const listing = await scene.connect({ repositories: ['acme/WEB'], token: 'ghp_listing' });
    await pushed();
    await caller.run();
    await again();
    expect(host.requests[0]?.headers.authorization).toBe('Bearer ghp_listing');
    expect((await getIntegration(scene.ctx, listing)).integration.platform_calls).toMatchObject({ waiting: 0 });
  });
});

describe('a task in review', () => {
  it('has its pull request, which the next attempt brings up to date', async () => {
    const taskId = await scene.newTask({ review: { person: true } });
    await scene.work(pushedBranch(taskId));
    await scene.consume();
    await caller.run();
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
    const person = test.context({ tenantId: scene.tenantId });
    await decideByHand(person, { taskId, decision: 'reject', comment: 'Ten.' });
    await scene.work(pushedBranch(taskId, { sha: 'sha-2' }), 'Ten a minute.');
    await scene.consume();
    await again();
    expect(written()).toEqual(['GET', 'POST', 'GET', 'PATCH']);
    expect(host.pullRequests).toMatchObject([{ number: 1, body: expect.stringContaining('Ten a minute.') }]);
    await decideByHand(person, { taskId, decision: 'approve' });
    await scene.consume();
    await again();
    expect(written().slice(4)).toEqual(['GET']);
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
  });

  it('whose pull request a person merged before the approval gets no second one', async () => {
    const taskId = await scene.newTask({ review: { person: true } });
    host.heads.set(`task/${taskId}`, 'sha-1');
    await scene.work(pushedBranch(taskId));
    await scene.consume();
    await caller.run();
    Object.assign(host.pullRequests[0] ?? {}, { state: 'closed', mergedAt: new Date().toISOString() });
    await decideByHand(test.context({ tenantId: scene.tenantId }), { taskId, decision: 'approve' });
    await scene.consume();
    await again();
    expect(written()).toEqual(['GET', 'POST', 'GET']);
    expect(await calls()).toMatchObject([{ state: 'done', error: null }]);
  });
});

describe('a pull request', () => {
  it('that was created before the connection was cut is found, not opened again', async () => {
    const taskId = await pushed();
    host.respondWith(({ method }) => (method === 'POST' ? 'cut' : undefined));
    await caller.run();
    expect(await artifactsOf(taskId)).toEqual([]);
    host.respondWith(() => undefined);
    await again();
    expect(written()).toEqual(['GET', 'POST', 'GET']);
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
  });

  it('that someone else opens at the same moment is found', async () => {
    const taskId = await pushed();
    host.respondWith(({ method }) => {
      if (method !== 'POST' || host.pullRequests.length > 0) return undefined;
      return {
        status: 422,
        body: { message: 'Validation Failed', errors: [{ message: 'A pull request already exists for acme:x.' }] },
      };
    });
    await caller.run();
    host.pullRequests.push({ ...opened(taskId), title: 'By hand', body: '' });
    await again();
    expect(written()).toEqual(['GET', 'POST', 'GET']);
    expect(await artifactsOf(taskId)).toEqual([urlOf(7)]);
    expect(host.pullRequests).toMatchObject([{ title: 'By hand', body: '' }]);
  });

  it('says what was wanted last, when that changed while the host was called', async () => {
    const taskId = await pushed();
    await retryTask(scene.ctx, taskId);
    let answer = () => {};
    const held = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
    host.respondWith(({ method }) => (method === 'POST' ? held : undefined));
    await caller.calling.sweep().then(caller.calling.drain);
    await caller.calling.sweep();
    await eventually(() => written().includes('POST'));
    await scene.work(pushedBranch(taskId, { sha: 'sha-2' }), 'Ten a minute.');
    await scene.consume();
    answer();
    await caller.calling.drain();
    await again();
    await again();
    expect(written()).toEqual(['GET', 'POST', 'GET', 'PATCH']);
    expect(host.pullRequests).toMatchObject([{ body: expect.stringContaining('Ten a minute.') }]);
    expect(await calls()).toMatchObject([{ state: 'done' }]);
  });

  const opened = (taskId: string) => ({
    number: 7,
    repository: 'acme/web',
    head: { ref: `task/${taskId}`, sha: 'sha-1' },
    base: 'main',
    state: 'open' as const,
    mergedAt: null,
    updatedAt: '2026-11-20T10:00:00Z',
  });
});

describe('a pull request that has conflicts', () => {
  it('when it is opened opens its task again, which is published once', async () => {
    const taskId = await pushed();
    await caller.run();
    expect(await scene.shown(taskId)).toMatchObject({ status: 'completed', rework_rounds: 0 });
    Object.assign(host.pullRequests[0] ?? {}, { mergeable: false });
    for (let turn = 0; turn < 2; turn += 1) await again();
    expect(await scene.shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 1 });
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
  });

  it('with its next commit opens its task again', async () => {
    const taskId = await pushed();
    await caller.run();
    await again();
    await retryTask(scene.ctx, taskId);
    await scene.work(pushedBranch(taskId, { sha: 'sha-2' }), 'Ten a minute.');
    await scene.consume();
    Object.assign(host.pullRequests[0] ?? {}, { mergeable: false });
    await caller.run();
    await again();
    expect(await scene.shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 1 });
  });
});

describe('the other pull requests of a branch into which something was merged', () => {
  let others = 50;
  async function mergeAnother(base: string): Promise<void> {
    const number = (others += 1);
    const inbound = inboundScene(test);
    const head = { ref: 'another', sha: 'x', repo: { full_name: 'acme/web' } };
    const shown = {
      title: 'Another',
      html_url: urlOf(number),
      body: '',
      head,
      base: { ref: base },
      user: { login: 'ada' },
    };
    const ended = { state: 'closed', merged: true, updated_at: new Date().toISOString() };
    const repository = { full_name: 'acme/web' };
    const sent = { action: 'closed', number, pull_request: { ...shown, ...ended }, repository };
    await inbound.sendSourceHost('pull_request', sent, { secret: scene.secret, to: scene.integrationId });
    await inbound.apply(scene.tenantId);
  }

  it('are asked whether they can still be merged, until the source host knows: a conflict opens the task again', async () => {
    const taskId = await pushed();
    await caller.run();
    await again();
    expect((await scene.shown(taskId)).status).toBe('completed');
    Object.assign(host.pullRequests[0] ?? {}, { mergeable: null });
    await mergeAnother('main');
    await caller.run();
    expect((await scene.shown(taskId)).status).toBe('completed');
    expect(await calls()).toMatchObject([{ state: 'waiting' }]);
    Object.assign(host.pullRequests[0] ?? {}, { mergeable: false });
    await again();
    expect(await scene.shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 1 });
    expect(await calls()).toMatchObject([{ state: 'done', error: null }]);
    await mergeAnother('main');
    await again();
    expect((await scene.shown(taskId)).rework_rounds).toBe(1);
  });

  it('are asked four times at most, and those of another branch never', async () => {
    await pushed();
    await caller.run();
    await again();
    Object.assign(host.pullRequests[0] ?? {}, { mergeable: null });
    await mergeAnother('release');
    await caller.run();
    expect([written(), asked()]).toEqual([['GET', 'POST'], 1]);
    await mergeAnother('main');
    for (let turn = 0; turn < 6; turn += 1) await again();
    expect(asked()).toBe(1 + 4);
    expect(await calls()).toMatchObject([{ state: 'done' }]);
  });
});

describe('a source host that refuses', () => {
  const refusing = (status: number, message: string, headers = {}) =>
    host.respondWith(() => ({ status, body: { message }, headers }));
  const view = async () => (await getIntegration(scene.ctx, scene.integrationId)).integration;

  it('because nothing differs ends the call with its reason', async () => {
    await pushed();
    host.respondWith(({ method }) =>
      method === 'POST'
        ? {
            status: 422,
            body: { message: 'Validation Failed', errors: [{ message: 'No commits between main and x' }] },
          }
        : undefined,
    );
    await caller.run();
    expect(await calls()).toMatchObject([
      { state: 'failed', error: 'status 422: Validation Failed No commits between main and x' },
    ]);
  });

  it('for want of rights says what the token needs, and is asked again with another token', async () => {
    const taskId = await pushed();
    refusing(404, 'Not Found');
    await caller.run();
    expect((await view()).platform_calls).toMatchObject({
      failed: 1,
      last_error: expect.stringContaining('Check that acme/web exists under this name, and that the token may see it.'),
    });
    host.respondWith(() => undefined);
    const change = { id: scene.integrationId, ifMatch: undefined, body: { token: 'ghp_other' } };
    await changeIntegration(scene.ctx, { ...change, body: { token: null } });
    await caller.run();
    expect(await calls()).toMatchObject([{ state: 'failed', attempts: 1 }]);
    await changeIntegration(scene.ctx, change);
    await caller.run();
    expect(host.requests.at(-1)?.headers.authorization).toBe('Bearer ghp_other');
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
  });

  it('the token rests, and shows the reason until there is another one', async () => {
    const taskId = await pushed();
    refusing(401, 'Bad credentials ghp_token');
    await caller.run();
    expect(await view()).toMatchObject({
      status: 'degraded',
      status_reason: expect.stringMatching(/Bad credentials …\. Give the integration a token that may read contents/),
      last_error: { reason: 'api_denied' },
    });
    host.respondWith(() => undefined);
    await changeIntegration(scene.ctx, { id: scene.integrationId, ifMatch: undefined, body: { token: 'ghp_other' } });
    await caller.run();
    expect((await view()).status).toBe('active');
    expect(await artifactsOf(taskId)).toEqual([urlOf(1)]);
  });

  it.each([
    ['Retry-After', 403, { 'retry-after': '30' }],
    [
      'X-RateLimit-Reset',
      429,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 600) },
    ],
  ])('for its limit gets no call until %s, and the attempt does not count', async (_, status, headers) => {
    await pushed();
    refusing(status, 'You have exceeded a secondary rate limit.', headers);
    await caller.run();
    await caller.run();
    expect(host.requests).toHaveLength(1);
    expect((await view()).platform_calls?.paused_until).toEqual(expect.any(String));
    expect(await calls()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });
});
