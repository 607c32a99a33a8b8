import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from '../../test/inbound-scene.ts';
import {
  checkSuiteBody,
  issueCommentBody,
  pullRequestBody,
  reviewBody,
  workflowRunBody,
} from '@eas/source-host/bodies';
import { sourceHostScene } from '../../test/source-host-scene.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

async function linked(ref = (id: string) => `fix/${id}`) {
  const host = await sourceHostScene(test, scene);
  const taskId = await host.newTask();
  const over = { ref: ref(taskId) };
  return {
    host,
    taskId,
    over,
    pr: (action: string, at: number, more = {}) => pullRequestBody(action, at, { ...over, ...more }),
  };
}

const url = 'https://github.com/Codertocat/Hello-World/pull/2';
const actionsOf = (timeline: { type: string }[]) =>
  entriesOf(timeline).map((entry) => (entry as { action?: string }).action);
const entriesOf = (timeline: { type: string }[]) => timeline.filter(({ type }) => type === 'pull_request');

describe('pull requests', () => {
  it('are followed from being opened to the merge: a row, an event for each stage, an entry for each, one artifact', async () => {
    const { host, taskId, pr } = await linked();
    await host.play([
      ['pull_request', pr('opened', 1)],
      ['pull_request', pr('synchronize', 2, { sha: 'sha-2' })],
      ['pull_request', pr('edited', 3, { sha: 'sha-2', title: 'Better' })],
      ['pull_request', pr('ready_for_review', 4, { sha: 'sha-2', title: 'Better' })],
      ['pull_request', pr('closed', 5, { sha: 'sha-2', title: 'Better' })],
      ['pull_request', pr('reopened', 6, { sha: 'sha-2', title: 'Better' })],
      ['pull_request', pr('closed', 7, { sha: 'sha-2', title: 'Better', merged: true })],
    ]);
    const base = { number: 2, branch: `fix/${taskId}`, task_id: taskId };
    expect(await host.events()).toEqual([
      { type: 'pr.opened', ...base, title: 'Update' },
      { type: 'pr.updated', ...base, title: 'Update', action: 'synchronize', head_sha: 'sha-2' },
      { type: 'pr.updated', ...base, title: 'Better', action: 'edited', head_sha: 'sha-2' },
      { type: 'pr.updated', ...base, title: 'Better', action: 'ready_for_review', head_sha: 'sha-2' },
      { type: 'pr.closed', ...base, title: 'Better' },
      { type: 'pr.updated', ...base, title: 'Better', action: 'reopened', head_sha: 'sha-2' },
      { type: 'pr.merged', ...base, title: 'Better' },
    ]);
    expect(await host.pullRequests()).toEqual([
      { number: 2, state: 'merged', title: 'Better', branch: `fix/${taskId}`, sha: 'sha-2', taskId, checks: {} },
    ]);
    const timeline = await host.timeline(taskId);
    expect(entriesOf(timeline).map((entry) => (entry as { action?: string }).action)).toEqual([
      'opened',
      'synchronize',
      'edited',
      'ready_for_review',
      'closed',
      'reopened',
      'merged',
    ]);
    expect(entriesOf(timeline)[0]).toEqual({
      type: 'pull_request',
      repository: 'Codertocat/Hello-World',
      number: 2,
      action: 'opened',
      title: 'Update',
      url,
      author: 'Codertocat',
      sha: 'sha-1',
    });
    expect((await host.task(taskId)).artifacts).toMatchObject([{ kind: 'pull_request', title: 'Update', url }]);
    expect((await host.task(taskId)).status).toBe('created');
  });

  it('publish each stage once, however often it arrives', async () => {
    const { host, taskId, pr } = await linked();
    for (let turn = 0; turn < 3; turn += 1)
      await host.play([
        ['pull_request', pr('opened', 1)],
        ['pull_request', pr('opened', 1)],
        ['pull_request', pr('closed', 2, { merged: true })],
      ]);
    expect((await host.events()).map(({ type }) => type)).toEqual(['pr.opened', 'pr.merged']);
    expect(entriesOf(await host.timeline(taskId))).toHaveLength(2);
    expect((await host.task(taskId)).artifacts).toHaveLength(1);
    expect((await host.outcomes()).filter((outcome) => outcome.startsWith('ignored'))).toHaveLength(7);
  });

  it('keep the newest state when older events come later, and publish these all the same', async () => {
    const { host, taskId, pr } = await linked();
    await host.play([['pull_request', pr('closed', 9, { merged: true, title: 'New' })]]);
    await host.play([['pull_request', pr('opened', 1, { title: 'Old' })]]);
    expect(await host.pullRequests()).toMatchObject([{ state: 'merged', title: 'New' }]);
    expect((await host.events()).map(({ type, ...data }) => [type, (data as { title?: string }).title])).toEqual([
      ['pr.merged', 'New'],
      ['pr.opened', 'Old'],
    ]);
    expect(entriesOf(await host.timeline(taskId))).toHaveLength(2);
  });

  it('are linked by an edit that names the task, which then gets the earlier stages', async () => {
    const host = await sourceHostScene(test, scene);
    const taskId = await host.newTask({ ticket_id: 'PROJ-12' });
    await host.play([
      ['pull_request', pullRequestBody('opened', 1)],
      ['pull_request_review', reviewBody('submitted', 2, {})],
    ]);
    expect(await host.pullRequests()).toMatchObject([{ taskId: null }]);
    await host.play([['pull_request', pullRequestBody('edited', 3, { body: 'For proj-12.' })]]);
    expect(await host.pullRequests()).toMatchObject([{ taskId }]);
    expect(actionsOf(await host.timeline(taskId))).toEqual(['opened', 'reviewed', 'edited']);
  });

  it('publish each stage once when the receipt that links them is applied together with earlier ones', async () => {
    const host = await sourceHostScene(test, scene);
    const taskId = await host.newTask({ ticket_id: 'PROJ-12' });
    await host.play([
      ['pull_request', pullRequestBody('opened', 1)],
      ['pull_request', pullRequestBody('edited', 3, { body: 'For proj-12.' })],
    ]);
    expect((await host.events()).map(({ type }) => type)).toEqual(['pr.opened', 'pr.updated']);
    expect(actionsOf(await host.timeline(taskId))).toEqual(['opened', 'edited']);
  });

  it.each(['86abc123', 'PROJ-7', 'Codertocat/Hello-World#12'])('are linked by the ticket %s', async (ticket) => {
    const host = await sourceHostScene(test, scene);
    const taskId = await host.newTask({ ticket_id: ticket });
    const title = `Fixes ${ticket.replace('Codertocat/Hello-World', '')}`;
    await host.play([['pull_request', pullRequestBody('opened', 1, { title })]]);
    expect(await host.pullRequests()).toMatchObject([{ taskId }]);
  });

  it('do not get a second artifact where an agent has attached the pull request', async () => {
    const { host, taskId, pr } = await linked();
    await host.query(
      `INSERT INTO artifacts (tenant_id, id, task_id, lease_id, agent_id, kind, url, created_at)
       VALUES ($1, 'art_1', $2, 'lse_1', 'agt_1', 'pull_request', $3, now())`,
      taskId,
      url,
    );
    await host.play([['pull_request', pr('opened', 1)]]);
    expect((await host.task(taskId)).artifacts).toHaveLength(1);
  });
});

describe('pull requests that name another task', () => {
  const over = { number: 2, pull_request: {} };
  async function relinked() {
    const host = await sourceHostScene(test, scene, { complete_on_merge: true });
    const [first, second] = [await host.newTask({ ticket_id: 'PROJ-1' }), await host.newTask({ ticket_id: 'PROJ-2' })];
    const commentsOf = async (id: string) =>
      (await host.timeline(id)).flatMap((item) =>
        item.type === 'comment' ? [(item as { content: string }).content] : [],
      );
    return { host, first, second, commentsOf };
  }
  const named = (action: string, at: number, body: string, more = {}) =>
    ['pull_request', pullRequestBody(action, at, { body, ...more })] as [string, object];

  it.each([
    ['in their order', [0, 1]],
    ['the newest first', [1, 0]],
  ])('are linked to the one that the newest event names, which gets all stages: %s', async (_, order) => {
    const { host, second } = await relinked();
    const sent = [named('opened', 1, 'For PROJ-1'), named('edited', 2, 'For PROJ-2')];
    for (const index of order) await host.play([sent[index] as [string, object]]);
    expect(await host.pullRequests()).toMatchObject([{ taskId: second }]);
    expect(actionsOf(await host.timeline(second)).sort()).toEqual(['edited', 'opened']);
    expect((await host.task(second)).artifacts).toHaveLength(1);
    expect((await host.events()).map(({ type }) => type).sort()).toEqual(['pr.opened', 'pr.updated']);
  });

  it('bring later comments and edits of comments to it, and none to the first any more', async () => {
    const { host, first, second, commentsOf } = await relinked();
    const comment = (action: string, at: number, shown: object) =>
      ['issue_comment', issueCommentBody(action, at, shown as never, over)] as [string, object];
    await host.play([
      named('opened', 1, 'For PROJ-1'),
      comment('created', 2, { id: 1, body: 'one' }),
      comment('created', 2, { id: 2, body: 'two' }),
      named('edited', 3, 'For PROJ-2'),
      comment('created', 4, { id: 3, body: 'three' }),
      comment('edited', 5, { id: 1, body: 'one, better' }),
      comment('edited', 6, { id: 1, body: 'one, best' }),
      comment('created', 2, { id: 2, body: 'two' }),
    ]);
    expect(await commentsOf(first)).toEqual(['one', 'two']);
    expect(await commentsOf(second)).toEqual(['three', 'one, best']);
  });

  it('complete it when they are merged, and leave the first as it is', async () => {
    const { host, first, second } = await relinked();
    await host.play([named('opened', 1, 'For PROJ-1'), named('edited', 2, 'For PROJ-2')]);
    await host.play([named('closed', 3, 'For PROJ-2', { merged: true })]);
    expect([(await host.task(first)).status, (await host.task(second)).status]).toEqual(['created', 'completed']);
  });

  it.each([
    ['names the first as well', 'For PROJ-2 and PROJ-1'],
    ['names no task', 'For no task'],
    ['names a task that is not there', 'For PROJ-9'],
  ])('stay linked to the first when the newest event %s', async (_, body) => {
    const { host, first } = await relinked();
    await host.play([named('opened', 1, 'For PROJ-1'), named('edited', 2, body)]);
    expect(await host.pullRequests()).toMatchObject([{ taskId: first }]);
  });
});

describe('reviews', () => {
  it('are published with their result, and are entries of the task', async () => {
    const { host, taskId, over } = await linked();
    await host.play([
      ['pull_request_review', reviewBody('submitted', 1, { id: 1, state: 'changes_requested' }, over)],
      ['pull_request_review', reviewBody('submitted', 2, { id: 2, state: 'approved' }, over)],
      ['pull_request_review', reviewBody('dismissed', 3, { id: 1, state: 'dismissed' }, over)],
      ['pull_request_review', reviewBody('submitted', 2, { id: 2, state: 'approved' }, over)],
    ]);
    expect(await host.events()).toMatchObject([
      { type: 'pr.reviewed', review: 'changes_requested', reviewer: 'Codertocat', task_id: taskId },
      { type: 'pr.reviewed', review: 'approved' },
      { type: 'pr.reviewed', review: 'dismissed' },
    ]);
    expect(entriesOf(await host.timeline(taskId))).toMatchObject([
      { action: 'reviewed', conclusion: 'changes_requested', author: 'Codertocat' },
      { action: 'reviewed', conclusion: 'approved' },
      { action: 'reviewed', conclusion: 'dismissed' },
    ]);
  });
});

describe('checks', () => {
  it('are published once for each result of a suite; the newest result of a suite is kept', async () => {
    const { host, taskId, pr } = await linked();
    await host.play([
      ['pull_request', pr('opened', 1)],
      ['check_suite', checkSuiteBody(4, { id: 7, conclusion: 'success' })],
      ['check_suite', checkSuiteBody(3, { id: 7, conclusion: 'failure' })],
      ['workflow_run', workflowRunBody(4, { id: 70, check_suite_id: 7, name: 'CI' })],
      ['workflow_run', workflowRunBody(5, { id: 80, check_suite_id: 8, name: 'Deploy' })],
    ]);
    const checks = (await host.events()).slice(1);
    expect(checks).toMatchObject([
      { type: 'pr.checks', suite: '7', conclusion: 'success', head_sha: 'sha-1', task_id: taskId },
      { type: 'pr.checks', suite: '7', conclusion: 'failure', completed_at: '2026-11-20T10:00:03Z' },
      { type: 'pr.checks', suite: '8', conclusion: 'success', check: 'Deploy' },
    ]);
    const [row] = await host.pullRequests();
    expect(row?.['checks']).toMatchObject({ 7: { conclusion: 'success' }, 8: { check: 'Deploy' } });
    expect(entriesOf(await host.timeline(taskId)).slice(1)).toMatchObject([
      { action: 'checks', conclusion: 'success', sha: 'sha-1' },
      { action: 'checks', conclusion: 'failure' },
      { action: 'checks', conclusion: 'success', check: 'Deploy' },
    ]);
  });

  it('find their pull request by its newest commit', async () => {
    const { host, pr } = await linked();
    await host.play([['pull_request', pr('opened', 1)]]);
    await host.play([
      ['check_suite', checkSuiteBody(2, { id: 7, pull_requests: [] })],
      ['check_suite', checkSuiteBody(3, { id: 8, pull_requests: [], head_sha: 'unknown' })],
    ]);
    expect((await host.events()).map(({ type }) => type)).toEqual(['pr.opened', 'pr.checks']);
    expect((await host.outcomes()).at(-1)).toBe('ignored: no_pull_request: no known pull request has this commit');
  });

  describe('that finish before their pull request is opened', () => {
    const early = (suite: object = {}) => checkSuiteBody(1, { id: 7, pull_requests: [], ...suite });
    const types = async (host: Awaited<ReturnType<typeof linked>>['host']) =>
      (await host.events()).map(({ type }) => type);

    it.each([
      ['before it', [0]],
      ['in the batch with it', []],
    ])('are kept by their commit and applied when it appears: %s', async (_, alone) => {
      const { host, taskId, pr } = await linked();
      const sent: [string, object][] = [
        ['check_suite', early()],
        ['check_suite', early({ id: 9, head_sha: 'another' })],
        ['pull_request', pr('opened', 2)],
      ];
      if (alone.length > 0) await host.play(sent.slice(0, 2));
      await host.play(alone.length > 0 ? sent.slice(2) : sent);
      await host.play([]);
      expect(await types(host)).toEqual(['pr.opened', 'pr.checks']);
      const [row] = await host.pullRequests();
      expect(row?.['checks']).toMatchObject({ 7: { conclusion: 'success' } });
      expect(actionsOf(await host.timeline(taskId))).toContain('checks');
      await host.play([['pull_request', pr('edited', 3)]]);
      await host.play([]);
      expect((await types(host)).filter((type) => type === 'pr.checks')).toHaveLength(1);
    });

    it('are applied when the pull request moves to their commit', async () => {
      const { host, pr } = await linked();
      await host.play([['pull_request', pr('opened', 1)]]);
      await host.play([['check_suite', early({ head_sha: 'sha-9' })]]);
      expect(await types(host)).toEqual(['pr.opened']);
      await host.play([['pull_request', pr('synchronize', 3, { sha: 'sha-9' })]]);
      await host.play([]);
      expect(await types(host)).toContain('pr.checks');
    });

    it('are not looked for after a week', async () => {
      const { host, pr } = await linked();
      await host.play([['check_suite', early()]]);
      await host.query(
        `UPDATE inbound_events SET settled_at = settled_at - interval '7 days 1 minute' WHERE tenant_id = $1`,
      );
      await host.play([['pull_request', pr('opened', 2)]]);
      await host.play([]);
      expect(await types(host)).toEqual(['pr.opened']);
    });

    it('are not missed when both come at one moment', async () => {
      for (let run = 0; run < 10; run += 1) {
        const { host, pr } = await linked();
        const one = (sent: Parameters<typeof host.play>[0]) => host.play(sent, { oneByOne: true });
        await Promise.all([one([['check_suite', early()]]), one([['pull_request', pr('opened', 2)]])]);
        await host.play([]);
        await host.play([]);
        expect((await types(host)).sort()).toEqual(['pr.checks', 'pr.opened']);
      }
    });
  });

  it('wait until their pull request is known and linked, then are published', async () => {
    const { host, taskId, pr } = await linked();
    await host.play([['check_suite', checkSuiteBody(2, { id: 7 })]]);
    expect(await host.events()).toEqual([]);
    await host.play([['pull_request', pullRequestBody('opened', 1)]]);
    expect((await host.events()).map(({ type }) => type)).toEqual(['pr.opened']);
    await host.play([['pull_request', pr('edited', 3)]]);
    expect((await host.events()).map(({ type }) => type)).toEqual(['pr.opened', 'pr.checks', 'pr.updated']);
    const actions = entriesOf(await host.timeline(taskId)).map((entry) => (entry as { action?: string }).action);
    expect(actions).toEqual(['opened', 'checks', 'edited']);
    await host.play([['check_suite', checkSuiteBody(2, { id: 7 })]]);
    expect(await host.events()).toHaveLength(3);
  });

  it('are applied to at most 20 pull requests', async () => {
    const host = await sourceHostScene(test, scene);
    const numbers = Array.from({ length: 5_000 }, (_, n) => n + 1);
    await host.play([
      ['check_suite', checkSuiteBody(2, { id: 7, pull_requests: numbers.map((number) => ({ number })) })],
    ]);
    expect(await host.pullRequests()).toHaveLength(20);
    expect(await host.outcomes()).toEqual([expect.stringMatching(/^applied: /)]);
  });
});
