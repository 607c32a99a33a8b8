import { useTestDatabase } from '@eas/testing';
import { type SourceHost, startSourceHost } from '@eas/testing/source-host';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { inboundScene } from '../../test/inbound-scene.ts';
import { callsOf, forgetCalls, passTime, platformCaller } from '../../test/platform-scene.ts';
import { pushedBranch, pushedTaskScene } from '../../test/pushed-task-scene.ts';
import { checkSuiteBody, pullRequestBody } from '@eas/source-host/bodies';
import { changeIntegration, getIntegration } from '@eas/integrations';

const test = useTestDatabase();
let host: SourceHost;
beforeAll(async () => {
  host = await startSourceHost();
});
afterAll(() => host.close());

let caller: ReturnType<typeof platformCaller>;
beforeEach(async () => {
  host.reset();
  await forgetCalls(test);
  caller = platformCaller(test, host.url);
});

const red = { id: 1, suite: '7', name: 'test', conclusion: 'failure' };
const at = '2026-11-20T10:00:00.1234567Z ';
const suiteOf = (sent: number, over = {}) => checkSuiteBody(sent, { id: 7, conclusion: 'failure', ...over });

/** A task whose agent has pushed `sha-1`, with red checks of that commit. */
async function sentBack() {
  const scene = await pushedTaskScene(test, { integration: { org_name: 'codertocat' } });
  const { secret, integrationId: to, tenantId } = scene;
  const inbound = inboundScene(test);
  const taskId = await scene.newTask();
  const play = async (event: string, body: object) => {
    await inbound.sendSourceHost(event, body, { secret, to });
    await inbound.apply(tenantId);
  };
  await scene.work(pushedBranch(taskId));
  await play('pull_request', pullRequestBody('opened', 1, { ref: `task/${taskId}` }));
  const view = async () => (await getIntegration(scene.ctx, to)).integration;
  /** The messages that the next agent to claim the task gets. */
  const received = async () =>
    (await scene.claimed()).directives.map((one) => (one as { content?: string }).content).slice(1);
  const again = async () => {
    await passTime(test, tenantId);
    await caller.run();
  };
  const calls = async () => (await callsOf(test, tenantId)).filter(({ kind }) => kind === 'checks');
  return { ...scene, taskId, play, view, received, again, calls };
}

it('what failed checks say is a second message: words, places and the end of a log', async () => {
  const noise = Array.from({ length: 5_000 }, (_, line) => `${at}line ${line}`).join('\r\n');
  const log = `${noise}\r\n${at}\u001b[31m5 were expected, 7 came\u001b[0m\r\n${at}##[error]Process completed with exit code 1.\r\n${at}Cleaning up`;
  const annotations = [
    { path: 'src/a.ts', start_line: 12, annotation_level: 'failure', message: 'unused\0' },
    { path: '.github', start_line: 1, annotation_level: 'notice', message: 'a new version' },
  ];
  host.checks.push(
    { ...red, log },
    { ...red, id: 2, name: 'lint', title: '1 problem', annotations },
    { ...red, id: 3, name: 'types', conclusion: 'success' },
    { ...red, id: 4, suite: '8', name: 'another suite' },
  );
  const { play, received, calls, shown, taskId } = await sentBack();
  await play('check_suite', suiteOf(2));
  await caller.run();
  expect(await calls()).toMatchObject([{ state: 'done', externalId: 'codertocat/hello-world#2' }]);
  expect(await shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 1 });
  const [said = '', ...more] = await received();
  expect(more).toEqual([]);
  expect(said).toMatch(/^What failed checks of Codertocat\/Hello-World#2 say about your commit sha-1:\n\n"test" ended/);
  expect(said).toContain('line 4999\n5 were expected, 7 came\n##[error]Process completed with exit code 1.\n```');
  expect(said).toContain('"lint" ended with failure.\n\n1 problem\n\n```text\nsrc/a.ts:12: unused\n```');
  expect(said).not.toMatch(/Cleaning|types|another|new version|line 4000\n/);
  expect(said.length).toBeLessThan(16_400);
});

it('the log is asked for by the token, and what stores it gets none', async () => {
  host.checks.push({ ...red, log: 'x'.repeat(200_000) });
  const { play, received } = await sentBack();
  await play('check_suite', suiteOf(2));
  await caller.run();
  const asked = host.requests.filter(({ path }) => /jobs|logs/.test(path));
  expect(asked.map(({ headers }) => [headers.authorization, headers.range])).toEqual([
    ['Bearer ghp_token', undefined],
    [undefined, 'bytes=0-0'],
    [undefined, `bytes=${200_000 - 65_536}-`],
  ]);
  expect((await received())[0]).toContain('xxx');
});

it('a check without a log, or whose log is gone, is described by what there is', async () => {
  host.checks.push({ ...red, log: 'x' });
  const { play, received } = await sentBack();
  host.respondWith(({ path }) => (path.includes('/jobs/') ? { status: 410 } : undefined));
  await play('check_suite', suiteOf(2));
  await caller.run();
  expect(await received()).toEqual([expect.stringMatching(/"test" ended with failure\.$/)]);
});

it('a source host that is away for a while is asked again, and the message comes once', async () => {
  host.checks.push({ ...red, title: 'Two tests failed' });
  const { play, received, again } = await sentBack();
  host.respondWith(() => ({ status: 502 }));
  await play('check_suite', suiteOf(2));
  await caller.run();
  host.respondWith(() => undefined);
  await play('check_suite', suiteOf(2));
  await again();
  await again();
  expect(await received()).toEqual([expect.stringContaining('Two tests failed')]);
});

it('is not sent to a task that was completed with another commit meanwhile', async () => {
  host.checks.push({ ...red, title: 'Two tests failed' });
  const { play, work, taskId, tenantId, calls } = await sentBack();
  await play('check_suite', suiteOf(2));
  await work(pushedBranch(taskId, { sha: 'sha-2' }));
  await caller.run();
  expect(await calls()).toMatchObject([{ state: 'done' }]);
  const sql = 'SELECT data::text FROM task_timeline WHERE tenant_id = $1 AND task_id = $2';
  const timeline = JSON.stringify(await test.database.db.query(sql, [tenantId, taskId]));
  expect(timeline).toContain('ended with failure for your commit');
  expect(timeline).not.toContain('Two tests failed');
});

it('a token without the right keeps the integration active, and the call says which right', async () => {
  const { play, view, received, calls } = await sentBack();
  host.respondWith(() => ({ status: 403, body: { message: 'Resource not accessible by personal access token' } }));
  await play('check_suite', suiteOf(2));
  await caller.run();
  expect(await view()).toMatchObject({ status: 'active', platform_calls: { failed: 1 } });
  const error = expect.stringContaining(
    'Give the token the rights to read checks and actions of Codertocat/Hello-World.',
  );
  expect(await calls()).toMatchObject([{ state: 'failed', error }]);
  expect(await received()).toEqual([]);
});

it('without a token nothing is asked', async () => {
  const { play, ctx, integrationId, calls } = await sentBack();
  await changeIntegration(ctx, { id: integrationId, ifMatch: undefined, body: { token: null } });
  await play('check_suite', suiteOf(2));
  expect(await calls()).toEqual([]);
});

it.each([
  ['passed', { conclusion: 'success' }],
  ['are of an older commit', { head_sha: 'sha-0', pull_requests: [] }],
])('nothing is asked about checks that %s', async (_, over) => {
  const { play, calls } = await sentBack();
  await play('check_suite', suiteOf(2, over));
  expect(await calls()).toEqual([]);
});
