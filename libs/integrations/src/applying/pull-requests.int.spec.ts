import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from '../../test/inbound-scene.ts';
import { checkSuiteBody, pullRequestBody, reviewBody, workflowRunBody } from '../../test/source-host-bodies.ts';
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

  it('are linked by an edit that names the task, which then gets the earlier stages; the link stays', async () => {
    const host = await sourceHostScene(test, scene);
    const [taskId, other] = [await host.newTask({ ticket_id: 'PROJ-12' }), await host.newTask()];
    await host.play([
      ['pull_request', pullRequestBody('opened', 1)],
      ['pull_request_review', reviewBody('submitted', 2, {})],
    ]);
    expect(await host.pullRequests()).toMatchObject([{ taskId: null }]);
    await host.play([['pull_request', pullRequestBody('edited', 3, { body: 'For proj-12.' })]]);
    await host.play([['pull_request', pullRequestBody('edited', 4, { body: `For ${other}` })]]);
    expect(await host.pullRequests()).toMatchObject([{ taskId }]);
    const actions = entriesOf(await host.timeline(taskId)).map((entry) => (entry as { action?: string }).action);
    expect(actions).toEqual(['opened', 'reviewed', 'edited', 'edited']);
    expect(entriesOf(await host.timeline(other))).toEqual([]);
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
