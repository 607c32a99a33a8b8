import { completeTask, createAgent } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { type SourceHost, startSourceHost } from '@eas/testing/source-host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callsOf, forgetCalls, passTime, platformCaller } from '../../test/platform-scene.ts';
import { pushedBranch, pushedTaskScene } from '../../test/pushed-task-scene.ts';

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
});

const findings = [
  { path: 'src/a.ts', line: 12, body: 'Close #7, @everyone: a Map is better.' },
  { path: 'src/b.ts', body: 'Where is its test?' },
];

/** A task in review whose pull request is open, or is going to be, and an agent that is asked for the review. */
async function inReview(repositories?: string[], { isOpened = true } = {}) {
  scene = await pushedTaskScene(test, repositories ? { repositories } : {});
  const { ctx, tenantId, claimed } = scene;
  const taskId = await scene.newTask({ review: { role: 'qa' } });
  await scene.work([
    ...pushedBranch(taskId),
    ...(repositories ?? []).slice(1).flatMap((repository) => pushedBranch(taskId, { over: { repository } })),
  ]);
  await scene.consume();
  if (isOpened) await caller.run();
  const qa = await createAgent(ctx, { name: 'Quinn', role: 'qa', capabilities: [], max_concurrent_tasks: 1 });
  const asReviewer = { agentId: qa.id, ctx: test.context({ tenantId, actor: { id: qa.id, agentId: qa.id } }) };
  async function review(result: Record<string, unknown>): Promise<void> {
    const { lease_id: leaseId, fencing_token } = (await claimed(asReviewer)).lease;
    await completeTask(asReviewer.ctx, { leaseId, body: { fencing_token, summary: 'Read.', result } });
    await scene.consume();
  }
  return { taskId, review };
}

const reviewsOf = (number: number) => host.pullRequests[number - 1]?.reviews ?? [];
const again = async () => {
  await passTime(test, scene.tenantId);
  await caller.run();
};

describe('the review of an agent', () => {
  it('is said in the pull request: its findings are comments on lines, which mention no user', async () => {
    const { review } = await inReview();
    await review({ decision: 'reject', comment: 'No test.', findings });
    await caller.run();
    const [said, ...more] = reviewsOf(1);
    expect(more).toEqual([]);
    expect(said?.body).toMatch(
      /An agent asks for changes\.[^]*```text\nNo test\.\n```[^]*src\/b\.ts\n\nWhere is its test\?/,
    );
    expect(said?.comments).toEqual([
      { path: 'src/a.ts', line: 12, side: 'RIGHT', body: expect.stringMatching(/```text\nClose #7, @everyone: a Map/) },
    ]);
    expect(await callsOf(test, scene.tenantId)).toMatchObject([
      { kind: 'pull_request' },
      { kind: 'review', state: 'done', externalId: 'acme/web#1' },
    ]);
  });

  it('is said once in a pull request that is opened after it', async () => {
    const { review } = await inReview(undefined, { isOpened: false });
    await review({ decision: 'reject', comment: 'No test.', findings });
    await caller.run();
    await again();
    expect(reviewsOf(1)).toMatchObject([
      { body: expect.stringContaining('No test.'), comments: [{ path: 'src/a.ts', line: 12 }] },
    ]);
  });

  it('is there once, though the process is killed after it was said', async () => {
    const { review } = await inReview();
    await review({ decision: 'approve' });
    host.respondWith(({ method }) => (method === 'POST' ? 'cut' : undefined));
    await caller.run();
    host.respondWith(() => undefined);
    await again();
    await again();
    expect(reviewsOf(1).map(({ body }) => body)).toEqual([expect.stringContaining('An agent approves this.')]);
  });

  it('is said in its text where lines are not part of the change', async () => {
    const { review } = await inReview();
    Object.assign(host.pullRequests[0] ?? {}, { lines: ['src/c.ts:1'] });
    await review({ decision: 'reject', findings });
    await caller.run();
    await again();
    expect(reviewsOf(1)).toMatchObject([{ comments: [] }]);
    expect(reviewsOf(1)[0]?.body).toMatch(/src\/a\.ts:12\n\nClose #7[^]*src\/b\.ts\n\nWhere/);
  });

  it('has comments on the lines of the change, and the others in its text', async () => {
    const { review } = await inReview();
    Object.assign(host.pullRequests[0] ?? {}, { lines: ['src/a.ts:12', 'src/c.ts:1'] });
    await review({ decision: 'reject', findings: [...findings, { path: 'src/a.ts', line: 90, body: 'Far away.' }] });
    await caller.run();
    await again();
    expect(reviewsOf(1)).toMatchObject([{ comments: [{ path: 'src/a.ts', line: 12 }] }]);
    expect(reviewsOf(1)[0]?.body).toMatch(
      /src\/b\.ts\n\nWhere[^]*```text\nsrc\/a\.ts:90\n```\n\n```text\nFar away\.\n```$/,
    );
  });

  it('is said in the only pull request of several repositories without the folder that each of them is', async () => {
    const { review } = await inReview(['https://code.example/acme/web.git', 'https://elsewhere.example/acme/api.git']);
    expect(host.pullRequests).toHaveLength(1);
    const ofApi = { path: 'api/main.ts', line: 3, body: 'Here.' };
    await review({ decision: 'reject', findings: [{ path: 'web/src/a.ts', line: 12, body: 'There.' }, ofApi] });
    await caller.run();
    expect(reviewsOf(1)[0]?.comments).toMatchObject([{ path: 'src/a.ts' }, { path: 'api/main.ts' }]);
  });

  it('is said in each of several repositories, with the findings of its folder', async () => {
    const { review } = await inReview(['https://code.example/acme/web.git', 'https://code.example/acme/api.git']);
    expect(host.pullRequests).toHaveLength(2);
    await review({ decision: 'reject', findings: [{ path: 'api/main.ts', line: 3, body: 'Here.' }] });
    await caller.run();
    const commented = host.pullRequests.map(({ repository, reviews = [] }) => [
      repository,
      reviews.flatMap(({ comments }) => comments.map(({ path }) => path)),
    ]);
    expect(commented.sort()).toEqual([
      ['acme/api', ['main.ts']],
      ['acme/web', []],
    ]);
  });

  it('is said nowhere without a pull request', async () => {
    scene = await pushedTaskScene(test, { integration: { token: null } });
    const { review } = await inReview(['https://elsewhere.example/acme/web.git']);
    await review({ decision: 'approve' });
    expect(await callsOf(test, scene.tenantId)).toEqual([]);
  });
});
