import { createAgent } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { issueBody, issueCommentBody, pullRequestBody } from '@eas/source-host/bodies';
import { sourceHostScene } from '../../test/source-host-scene.ts';
import { changeIntegration } from '@eas/integrations';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const ticket = 'Codertocat/Hello-World#12';
const labels = ['bug'];
const closed = (reason: string | null) => ({ labels, state: 'closed', state_reason: reason });

async function connected(settings: object = {}) {
  const host = await sourceHostScene(test, scene, { labels: { Bug: 'rd', question: 'pm' }, ...settings });
  const issue = async () => (await linkedTask(test, host.tenantId, ticket)) as Record<string, unknown>;
  return { ...host, issue };
}

describe('issues', () => {
  it('become a task of the role that their label stands for', async () => {
    const host = await connected();
    await host.play([['issues', issueBody('labeled', 1, { labels: ['BUG', 'ui'] })]]);
    expect(await host.issue()).toMatchObject({
      title: 'Broken',
      description: 'It is.',
      status: 'created',
      role: 'rd',
      tags: ['BUG', 'ui'],
      metadata: {
        ticket_id: ticket,
        repository: 'Codertocat/Hello-World',
        url: 'https://github.com/Codertocat/Hello-World/issues/12',
      },
      platform: { integration_id: host.integration.id, id: ticket, status: 'open' },
    });
    const created = await host.query<{ data: object }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND event_type = 'task.created'`,
    );
    expect(created).toMatchObject([{ data: { assigned_role: 'rd' } }]);
  });

  it('are pinned to the agent that their label stands for', async () => {
    const host = await connected();
    const agent = await createAgent(host.ctx, { name: 'Ada', role: 'qa' } as never);
    await test.database.db.query(
      `UPDATE integrations SET config = jsonb_set(config::jsonb, '{labels}', $2) WHERE tenant_id = $1`,
      [host.tenantId, JSON.stringify({ bug: agent.id })],
    );
    await host.play([['issues', issueBody('opened', 1, { labels })]]);
    expect(await host.issue()).toMatchObject({ agent: agent.id });
  });

  it('without such a label are no tasks', async () => {
    const host = await connected();
    await host.play([
      ['issues', issueBody('opened', 1, { labels: ['ui'] })],
      ['issue_comment', issueCommentBody('created', 2, {}, { labels: ['ui'] })],
    ]);
    expect(await host.issue()).toBeUndefined();
    expect(await host.outcomes()).toEqual([
      'ignored: no_label: no label of it stands for a role or an agent',
      'ignored: no_label: no label of it stands for a role or an agent',
    ]);
  });

  it('follow edits and labels: another label sets another role, none takes it back', async () => {
    const host = await connected();
    await host.play([['issues', issueBody('opened', 1, { labels })]]);
    await host.play([['issues', issueBody('edited', 2, { labels, title: 'Better', body: 'More.' })]]);
    expect(await host.issue()).toMatchObject({ title: 'Better', description: 'More.', role: 'rd' });
    await host.play([['issues', issueBody('labeled', 3, { labels: ['question'], title: 'Better' })]]);
    expect(await host.issue()).toMatchObject({ role: 'pm', tags: ['question'] });
    await host.play([['issues', issueBody('unlabeled', 4, { labels: [], title: 'Better' })]]);
    expect(await host.issue()).toMatchObject({ role: null, tags: [] });
  });

  it.each([
    ['completed', 'completed'],
    [null, 'completed'],
    ['not_planned', 'cancelled'],
    ['duplicate', 'cancelled'],
  ])('closed as %s are %s, and opened again when they are reopened', async (reason, status) => {
    const host = await connected();
    await host.play([
      ['issues', issueBody('opened', 1, { labels })],
      ['issues', issueBody('closed', 2, closed(reason))],
    ]);
    expect(await host.issue()).toMatchObject({ status });
    await host.play([['issues', issueBody('reopened', 3, { labels })]]);
    expect(await host.issue()).toMatchObject({ status: 'open' });
  });

  it.each(['deleted', 'transferred'])('that are %s are cancelled, also when that comes first', async (action) => {
    const host = await connected();
    await host.play([['issues', issueBody('opened', 1, { labels })]]);
    await host.play([['issues', issueBody(action, 2, { labels })]]);
    expect(await host.issue()).toMatchObject({ status: 'cancelled' });
    const other = await connected();
    await other.play([['issues', issueBody(action, 2, { labels })]]);
    await other.play([['issues', issueBody('opened', 1, { labels })]]);
    expect(await other.issue()).toBeUndefined();
  });

  it('get their comments: edited in place, withdrawn when deleted', async () => {
    const host = await connected();
    await host.play([
      ['issues', issueBody('opened', 1, { labels })],
      ['issue_comment', issueCommentBody('created', 2, { id: 1 }, { labels })],
      ['issue_comment', issueCommentBody('created', 2, { id: 2, body: 'Two.' }, { labels })],
      ['issue_comment', issueCommentBody('edited', 3, { id: 1, body: 'No.' }, { labels })],
      ['issue_comment', issueCommentBody('created', 2, { id: 1 }, { labels })],
    ]);
    expect(await host.issue()).toMatchObject({ comments: ['No.', 'Two.'] });
    await host.play([['issue_comment', issueCommentBody('deleted', 3, { id: 2, body: 'Two.' }, { labels })]]);
    expect(await host.issue()).toMatchObject({ comments: ['No.'] });
  });

  it('are named by pull requests, also by one of the same moment', async () => {
    const host = await connected();
    await host.play([
      ['issues', issueBody('opened', 1, { labels })],
      ['pull_request', pullRequestBody('opened', 2, { body: 'Fixes #12' })],
    ]);
    const { id } = await host.issue();
    expect(await host.pullRequests()).toMatchObject([{ taskId: id }]);
  });
});

describe('comments on pull requests', () => {
  it('are comments on the task that it is linked to', async () => {
    const host = await connected();
    const taskId = await host.newTask();
    const over = { number: 2, pull_request: {} };
    await host.play([['issue_comment', issueCommentBody('created', 1, { id: 3 }, over)]]);
    await host.play([['pull_request', pullRequestBody('opened', 1, { ref: taskId })]]);
    await host.play([['issue_comment', issueCommentBody('created', 2, { id: 1 }, over)]]);
    await host.play([['issue_comment', issueCommentBody('edited', 3, { id: 1, body: 'No.' }, over)]]);
    const comments = (await host.timeline(taskId)).filter(({ type }) => type === 'comment');
    expect(comments).toMatchObject([{ content: 'No.', author: 'Codertocat', edited_at: expect.any(String) }]);
    expect((await host.outcomes())[0]).toMatch(/^ignored/);
  });
});

describe('the rules of an integration', () => {
  it.each([
    [['hello-world'], true],
    [['Codertocat/Hello-World'], true],
    [[], true],
    [['other', 'codertocat/hello'], false],
  ])('with the repositories %j apply the webhooks of Codertocat/Hello-World: %s', async (repositories, isApplied) => {
    const host = await connected({ repositories });
    await host.play([
      ['issues', issueBody('opened', 1, { labels })],
      ['issues', issueBody('deleted', 1, { labels, number: 13 })],
      ['pull_request', pullRequestBody('opened', 1)],
    ]);
    const ignored = 'ignored: repository: codertocat/hello-world is not one of the integration';
    const outcomes = await host.outcomes();
    if (isApplied) expect(outcomes).toEqual(outcomes.map(() => expect.stringMatching(/^applied/)));
    else expect(outcomes).toEqual([ignored, ignored, ignored]);
    expect(await host.pullRequests()).toHaveLength(isApplied ? 1 : 0);
  });

  it('complete the linked task of a merged pull request where complete_on_merge is set', async () => {
    const host = await connected({ complete_on_merge: true });
    const taskId = await host.newTask();
    await host.play([['pull_request', pullRequestBody('closed', 2, { ref: taskId, merged: true })]]);
    const { status } = await host.task(taskId);
    expect(status).toBe('completed');
    const completed = await host.query<{ data: object }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND event_type = 'task.completed'`,
    );
    expect(completed).toMatchObject([{ data: { task_id: taskId, completed_by: host.integration.id } }]);
  });

  it('leave a task alone that has ended, and say so', async () => {
    const host = await connected({ complete_on_merge: true });
    const taskId = await host.newTask();
    await test.database.db.query(`UPDATE tasks SET status = 'cancelled' WHERE tenant_id = $1 AND id = $2`, [
      host.tenantId,
      taskId,
    ]);
    await host.play([['pull_request', pullRequestBody('closed', 2, { ref: taskId, merged: true })]]);
    expect((await host.task(taskId)).status).toBe('cancelled');
    expect((await host.timeline(taskId)).at(-1)).toMatchObject({
      action: 'merged',
      reason: 'the task is cancelled already',
    });
  });

  it('do not complete the task of an earlier merge that is reported again after complete_on_merge was set', async () => {
    const host = await connected();
    const taskId = await host.newTask();
    const merge = pullRequestBody('closed', 2, { ref: taskId, merged: true });
    await host.play([['pull_request', merge]]);
    const change = { id: host.integration.id, ifMatch: undefined, body: { complete_on_merge: true } };
    await changeIntegration(host.ctx, change);
    await host.play([['pull_request', merge]]);
    expect((await host.task(taskId)).status).toBe('created');
  });

  it('do not complete again a task that was opened again when the merge is reported once more', async () => {
    const host = await connected({ complete_on_merge: true });
    const taskId = await host.newTask();
    const merge = pullRequestBody('closed', 2, { ref: taskId, merged: true });
    await host.play([['pull_request', merge]]);
    await test.database.db.query(
      `UPDATE tasks SET status = 'open', completed_at = NULL, completed_by = NULL WHERE tenant_id = $1 AND id = $2`,
      [host.tenantId, taskId],
    );
    await host.play([['pull_request', merge]]);
    expect((await host.task(taskId)).status).toBe('open');
  });
});
