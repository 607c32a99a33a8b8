import { eventually, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { callsOf, forgetCalls, passTime, platformCaller, startPlatform } from '../../test/platform-scene.ts';
import { changeIntegration, getIntegration } from '@eas/integrations';

const test = useTestDatabase();
const secret = 'a secret of this platform';
const token = 'pk_of_this_platform';
const at = 1_700_000_000_000;
const task = {
  id: 't1',
  name: 'Limit logins',
  text_content: 'Five a minute.',
  date_updated: String(at),
  tags: [{ name: 'api' }],
};
const created = {
  event: 'taskCreated',
  task_id: 't1',
  history_items: [{ id: 'h1', field: 'task_creation', date: at - 5 }],
};

let platform: Awaited<ReturnType<typeof startPlatform>>;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

let scene: ReturnType<typeof inboundScene>;
let caller: ReturnType<typeof platformCaller>;
let tenantId: string;
let id: string;
beforeEach(async () => {
  platform.reset();
  await forgetCalls(test);
  scene = inboundScene(test);
  caller = platformCaller(test, platform.url);
  tenantId = await test.createTenant();
  id = (await scene.connect(tenantId, { type: 'taskplatform', secret, token })).integration.id;
});

const send = async (body: object) => {
  await scene.sendPlatform(body, { secret, to: id });
  await scene.apply(tenantId);
};
const linked = () => linkedTask(test, tenantId, 't1');
const calls = () => callsOf(test, tenantId);
const view = async () => (await getIntegration(test.context({ tenantId }), id)).integration;
const again = async () => {
  await passTime(test, tenantId);
  await caller.run();
};

describe('a task that was created without a title', () => {
  it('gets its title and text from the API of the platform', async () => {
    platform.answer('GET /task/t1', { status: 200, body: task });
    await send(created);
    expect(await linked()).toMatchObject({ title: 'Task t1', description: '' });
    await caller.run();
    expect(await linked()).toMatchObject({ title: 'Limit logins', description: 'Five a minute.', tags: ['api'] });
    expect(platform.requests).toEqual([expect.objectContaining({ token, path: '/task/t1' })]);
    expect(await calls()).toMatchObject([{ kind: 'task', state: 'done' }]);
  });

  it('is read once, however many events report it', async () => {
    platform.answer('GET /task/t1', { status: 200, body: task });
    await send(created);
    await send({
      event: 'taskPriorityUpdated',
      task_id: 't1',
      history_items: [{ id: 'h2', field: 'priority', after: 1 }],
    });
    await caller.run();
    await send({ event: 'taskUpdated', task_id: 't1', history_items: [{ id: 'h3', field: 'due_date', after: null }] });
    await caller.run();
    expect(platform.made('GET /task/t1')).toHaveLength(1);
  });

  it('keeps what a later webhook said, whichever comes first', async () => {
    platform.answer('GET /task/t1', { status: 200, body: task });
    await send(created);
    const renamed = { id: 'h2', field: 'name', after: 'Limit failed logins', date: at + 10 };
    await send({ event: 'taskUpdated', task_id: 't1', history_items: [renamed] });
    await caller.run();
    expect(await linked()).toMatchObject({ title: 'Limit failed logins', description: 'Five a minute.' });
  });

  it.each([
    ['without a token', { token: null }],
    ['of an integration that is disconnected when the call is made', { status: 'disconnected' as const }],
  ])('is not read %s', async (_, change) => {
    await send(created);
    await changeIntegration(test.context({ tenantId }), { id, ifMatch: undefined, body: change });
    await caller.run();
    expect(platform.requests).toEqual([]);
    expect(await calls()).toMatchObject([{ state: 'failed', error: expect.stringMatching(/no token|disconnected/) }]);
  });

  it('is not read when the webhook says all of it', async () => {
    await send({ ...created, data: { name: 'Limit logins', description: 'Five a minute.' } });
    expect(await calls()).toEqual([]);
  });
});

describe('a call that fails', () => {
  it('makes the integration degraded when the token is refused, until another one is set', async () => {
    platform.answer('GET /task/t1', { status: 401, body: { err: 'Token invalid', ECODE: 'OAUTH_025' } });
    await send(created);
    await caller.run();
    expect(await view()).toMatchObject({
      status: 'degraded',
      status_reason: 'The platform refused the token: status 401: Token invalid OAUTH_025',
      last_error: { reason: 'api_denied' },
      platform_calls: { waiting: 1, failed: 0, last_error: 'status 401: Token invalid OAUTH_025' },
    });
    await caller.run();
    expect(platform.requests).toHaveLength(1);
    platform.answer('GET /task/t1', { status: 200, body: task });
    await changeIntegration(test.context({ tenantId }), { id, ifMatch: undefined, body: { token: 'pk_new' } });
    expect((await view()).status).toBe('active');
    await caller.run();
    expect(platform.requests.at(-1)?.token).toBe('pk_new');
    expect(await linked()).toMatchObject({ title: 'Limit logins' });
  });

  it('makes the integration active again when the same token is accepted', async () => {
    platform.answer('GET /task/t1', { status: 403 });
    await send(created);
    await caller.run();
    expect((await view()).status).toBe('degraded');
    platform.answer('GET /task/t1', { status: 200, body: task });
    await again();
    expect(await view()).toMatchObject({ status: 'active', last_error: { reason: 'api_denied' } });
    expect(await view()).not.toHaveProperty('status_reason');
  });

  it('is given up for a task that the platform does not have', async () => {
    await send(created);
    await caller.run();
    expect(await calls()).toMatchObject([
      { state: 'failed', error: 'not found on the platform: status 404: not here' },
    ]);
    expect(await view()).toMatchObject({ status: 'active', platform_calls: { waiting: 0, failed: 1 } });
  });

  it.each([
    ['a 500', { status: 500 }],
    ['HTML', { status: 200, body: '<html>sign in</html>' }],
    ['a hang', 'hang' as const],
  ])('is made again after %s', async (_, answer) => {
    platform.answer('GET /task/t1', answer);
    await send(created);
    const calling = caller.run();
    await eventually(() => platform.requests.length === 1);
    if (answer === 'hang') platform.hangUp();
    await calling;
    expect(await calls()).toMatchObject([{ state: 'waiting', attempts: 1, error: expect.any(String) }]);
    expect((await view()).last_error?.reason).toBe('api_unavailable');
    platform.answer('GET /task/t1', { status: 200, body: task });
    await again();
    expect(await linked()).toMatchObject({ title: 'Limit logins' });
  });

  it.each([
    ['with Retry-After', { 'retry-after': '120' }, 120],
    ['without Retry-After', {}, 60],
  ])('pauses the calls of its integration after a 429 %s', async (_, headers, seconds) => {
    platform.answer('GET /task/t1', { status: 429, headers });
    await send(created);
    await caller.run();
    await caller.run();
    expect(platform.requests).toHaveLength(1);
    const [pause] = await test.database.db.query<{ left: number }>(
      'SELECT extract(epoch FROM paused_until - app_now())::float8 AS left FROM platform_apis WHERE integration_id = $1',
      [id],
    );
    expect(pause?.left).toBeGreaterThan(seconds - 20);
    expect(pause?.left).toBeLessThanOrEqual(seconds);
    expect(await calls()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect((await view()).status).toBe('active');
  });
});

describe('calls of several integrations', () => {
  it('do not wait for one that hangs', async () => {
    const slow = platformCaller(test, platform.url, 30_000);
    platform.answer('GET /task/t1', 'hang');
    await send(created);
    await slow.calling.sweep();
    const other = await test.createTenant();
    const its = (await scene.connect(other, { type: 'taskplatform', secret: 'another secret of it', token }))
      .integration.id;
    platform.answer('GET /task/t2', { status: 200, body: { ...task, id: 't2' } });
    await scene.sendPlatform({ ...created, task_id: 't2' }, { secret: 'another secret of it', to: its });
    await scene.apply(other);
    await slow.calling.sweep();
    while (!slow.reports.includes('task done')) await new Promise((resolve) => setImmediate(resolve));
    expect(await linkedTask(test, other, 't2')).toMatchObject({ title: 'Limit logins' });
    expect(slow.reports).toEqual(['task done']);
    platform.answer('GET /task/t1', { status: 200, body: task });
  });

  it('are at most 100 a minute of one', async () => {
    platform.answer('GET /task/t1', { status: 200, body: task });
    await send(created);
    const many = Array.from({ length: 30 }, (_, n) => ({ integrationId: id, externalId: `x${n}` }));
    await test.database.db.query(
      `INSERT INTO platform_calls (tenant_id, integration_id, kind, external_id, key, rank, due_at, created_at)
       SELECT $1, $2, 'task', x, '', 1, app_now(), app_now() FROM unnest($3::text[]) AS x`,
      [tenantId, id, many.map(({ externalId }) => externalId)],
    );
    await test.stopClock();
    await caller.run();
    await test.startClock();
    expect(platform.requests).toHaveLength(10);
  });

  it('are made by one process at a time, and what a process lost is made by another', async () => {
    platform.answer('GET /task/t1', 'hang');
    await send(created);
    const dead = platformCaller(test, platform.url, 60_000);
    await dead.calling.sweep();
    await eventually(() => platform.requests.length === 1);
    await caller.run();
    expect(platform.requests).toHaveLength(1);
    platform.answer('GET /task/t1', { status: 200, body: task });
    await test.database.db.query(
      'UPDATE platform_apis SET lease_until = app_now(), due_at = app_now() WHERE tenant_id = $1',
      [tenantId],
    );
    await caller.run();
    expect(await linked()).toMatchObject({ title: 'Limit logins' });
  });

  it('do not count when their process had lost its lease', async () => {
    platform.answer('GET /task/t1', 'hang');
    await send(created);
    const late = platformCaller(test, platform.url);
    await late.calling.sweep();
    await eventually(() => platform.requests.length === 1);
    platform.answer('GET /task/t1', { status: 200, body: task });
    await test.database.db.query(
      'UPDATE platform_apis SET lease_until = app_now(), due_at = app_now() WHERE tenant_id = $1',
      [tenantId],
    );
    const next = platformCaller(test, platform.url);
    await next.run();
    expect(next.reports).toEqual(['task done']);
    platform.hangUp();
    await late.calling.drain();
    expect(late.reports).toEqual(['task lease_lost']);
    expect(await calls()).toMatchObject([{ state: 'done', error: null }]);
    expect(await view()).not.toHaveProperty('last_error');
  });
});
