import { eventually, useTestDatabase } from '@eas/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import {
  forgetCalls,
  passTime,
  platformCaller,
  type PlatformRequest,
  startPlatform,
} from '../../test/platform-scene.ts';
import { cancelReconcile, createReconcile, getReconcile } from '@eas/task-platform';
import { changeIntegration } from '@eas/integrations';

const test = useTestDatabase();
const secret = 'a secret of this platform';
const at = Date.now() - 1_000_000;
const since = new Date(at);
const pageSize = 100;

let platform: Awaited<ReturnType<typeof startPlatform>>;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

afterEach(() => test.startClock());

let scene: ReturnType<typeof inboundScene>;
let caller: ReturnType<typeof platformCaller>;
let tenantId: string;
let id: string;
beforeEach(async () => {
  platform.reset();
  await forgetCalls(test);
  platform.answer('GET /team', { status: 200, body: { teams: [{ id: '9' }] } });
  scene = inboundScene(test);
  caller = platformCaller(test, platform.url);
  tenantId = await test.createTenant();
  id = (await scene.connect(tenantId, { type: 'taskplatform', secret, token: 'pk_token' })).integration.id;
});

const ctx = () => test.context({ tenantId });
const reconcile = (body: object = {}) => createReconcile(ctx(), { integrationId: id, body: { since, ...body } });
const read = (jobId: string) => getReconcile(ctx(), jobId);
const send = async (body: object) => {
  await scene.sendPlatform(body, { secret, to: id });
  await scene.apply(tenantId);
};
const linked = (task: string) => linkedTask(test, tenantId, task);
const taskOf = (task: string, after: number, over: object = {}) => ({
  id: task,
  name: `Title of ${task}`,
  text_content: 'Text.',
  date_updated: String(at + after),
  status: { status: 'to do', type: 'open' },
  ...over,
});

/** Lists tasks as the platform does: by date, a page at a time. */
const list =
  (tasks: readonly { date_updated: string }[]) =>
  ({ query }: PlatformRequest) => {
    const number = (name: string) => Number(query.get(name));
    const found = tasks
      .filter(({ date_updated: date }) => +date > number('date_updated_gt') && +date < number('date_updated_lt'))
      .sort((a, b) => +a.date_updated - +b.date_updated);
    const from = number('page') * pageSize;
    return {
      status: 200,
      body: { tasks: found.slice(from, from + pageSize), last_page: from + pageSize >= found.length },
    };
  };

async function runToEnd(jobId: string) {
  for (let round = 0; round < 20 && (await read(jobId)).status === 'running'; round += 1) {
    await passTime(test, tenantId);
    await caller.run();
  }
  return read(jobId);
}

describe('a reconciliation', () => {
  it('creates what is missing, repairs what differs, and leaves what is right', async () => {
    await send({
      event: 'taskCreated',
      task_id: 'same',
      data: { name: 'Title of same', description: 'Text.', status: { status: 'to do' } },
    });
    await send({ event: 'taskCreated', task_id: 'old', data: { name: 'Old title', status: { status: 'to do' } } });
    const later = { id: 'h', field: 'name', after: 'A later title', date: at + 900_000 };
    await send({ event: 'taskUpdated', task_id: 'later', history_items: [later] });
    const done = { status: 'complete', type: 'closed' };
    const tasks = [taskOf('same', 1), taskOf('old', 2, { status: done }), taskOf('later', 3), taskOf('new', 4)];
    platform.answer('GET /team/9/task', list(tasks));
    const { id: jobId } = await reconcile();
    const job = await runToEnd(jobId);
    expect(job).toMatchObject({ status: 'completed', seen: 4, created: 1, failed: 0, last_error: null });
    expect(job).toMatchObject({ updated: 2, unchanged: 1 });
    expect(await linked('new')).toMatchObject({ title: 'Title of new', description: 'Text.' });
    expect(await linked('old')).toMatchObject({ title: 'Title of old', status: 'completed' });
    expect(await linked('later')).toMatchObject({ title: 'A later title', description: 'Text.' });
    const again = await runToEnd((await reconcile()).id);
    expect(again).toMatchObject({ status: 'completed', seen: 4, created: 0, updated: 0, unchanged: 4 });
  });

  it('reads page by page, each task once, also those that share a date', async () => {
    const tasks = Array.from({ length: 230 }, (_, n) => taskOf(`t${n}`, 1 + Math.floor(n / 7)));
    platform.answer('GET /team/9/task', list(tasks));
    const job = await runToEnd((await reconcile()).id);
    expect(job).toMatchObject({ status: 'completed', seen: 230, created: 230, unchanged: 0 });
  });

  it('goes on where it was when its process ends', async () => {
    const tasks = Array.from({ length: 150 }, (_, n) => taskOf(`t${n}`, 1 + n));
    platform.answer('GET /team/9/task', list(tasks));
    const { id: jobId } = await reconcile();
    // While time stands still, the pace allows one call, however early that ends.
    await test.stopClock();
    for (const _call of ['the teams', 'the first page']) {
      await passTime(test, tenantId);
      await test.database.db.query(`UPDATE platform_apis SET slot_at = app_now() + interval '6750 ms'`);
      await caller.calling.sweep();
      await caller.calling.drain();
    }
    expect(await read(jobId)).toMatchObject({ status: 'running', seen: 100 });
    await test.startClock();
    await passTime(test, tenantId);
    const dead = platformCaller(test, platform.url, 60_000);
    platform.answer('GET /team/9/task', 'hang');
    const made = platform.requests.length;
    await dead.calling.sweep();
    await eventually(() => platform.requests.length === made + 1);
    platform.answer('GET /team/9/task', list(tasks));
    await test.database.db.query('UPDATE platform_apis SET lease_until = app_now() WHERE tenant_id = $1', [tenantId]);
    const job = await runToEnd(jobId);
    expect(job).toMatchObject({ status: 'completed', seen: 150, created: 150 });
  });

  it('counts tasks that cannot be read', async () => {
    const tasks = [
      taskOf('good', 1),
      { id: 'bad', date_updated: String(at + 2), name: 'x', tags: [] },
      { name: 'no id' },
    ];
    platform.answer('GET /team/9/task', { status: 200, body: { tasks, last_page: true } });
    expect(await runToEnd((await reconcile()).id)).toMatchObject({ seen: 3, created: 2, failed: 1 });
  });

  it('goes on after a failure of the platform, and says meanwhile what is wrong', async () => {
    platform.answer('GET /team/9/task', { status: 503 });
    const { id: jobId } = await reconcile();
    await caller.run();
    expect(await read(jobId)).toMatchObject({ status: 'running', last_error: 'status 503' });
    platform.answer('GET /team/9/task', list([taskOf('t1', 1)]));
    expect(await runToEnd(jobId)).toMatchObject({ status: 'completed', created: 1 });
  });

  it('fails with the reason when the token can see several workspaces, and uses the one that is set', async () => {
    platform.answer('GET /team', { status: 200, body: { teams: [{ id: '8' }, { id: '9' }] } });
    platform.answer('GET /team/9/task', list([taskOf('t1', 1)]));
    const job = await runToEnd((await reconcile()).id);
    expect(job).toMatchObject({ status: 'failed', last_error: expect.stringContaining('set team_id') });
    await changeIntegration(ctx(), { id, ifMatch: undefined, body: { team_id: '9' } });
    expect(await runToEnd((await reconcile()).id)).toMatchObject({ status: 'completed', created: 1 });
  });

  it('runs once at a time, and can be cancelled', async () => {
    const { id: jobId } = await reconcile();
    await expect(reconcile()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(jobId) });
    expect(await cancelReconcile(ctx(), jobId)).toMatchObject({ status: 'cancelled' });
    await expect(cancelReconcile(ctx(), jobId)).rejects.toMatchObject({ code: 'conflict' });
    await caller.run();
    expect(platform.requests).toEqual([]);
    await reconcile();
  });

  it.each([
    ['a range that is empty', { until: new Date(at - 1) }, 'until'],
    ['a time in the future', { since: new Date(Date.now() + 60_000) }, 'since'],
    ['a time long ago', { since: new Date(at - 400 * 86_400_000) }, 'since'],
  ])('is refused for %s', async (_, body, field) => {
    await expect(reconcile(body)).rejects.toMatchObject({ code: 'invalid_input', violations: [{ field }] });
  });

  it('is refused without a token, and for an integration that does not exist', async () => {
    await changeIntegration(ctx(), { id, ifMatch: undefined, body: { token: null } });
    await expect(reconcile()).rejects.toMatchObject({ code: 'invalid_input', violations: [{ field: 'token' }] });
    const other = createReconcile(ctx(), { integrationId: 'int_none', body: { since } });
    await expect(other).rejects.toMatchObject({ code: 'not_found' });
    await expect(read('rec_none')).rejects.toMatchObject({ code: 'not_found' });
  });
});
