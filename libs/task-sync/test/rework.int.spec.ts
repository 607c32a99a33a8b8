import { completeTask, createAgent, decideByHand, readTaskStates } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type HandedIn, handedInScene } from './handed-in-scene.ts';
import { inboundScene } from './inbound-scene.ts';
import { pushedBranch } from './pushed-task-scene.ts';
import { checkSuiteBody, issueCommentBody, pullRequestBody, workflowRunBody } from '@eas/source-host/bodies';
import { reportStatus } from './report-status.ts';

const test = useTestDatabase();
let handedIn: HandedIn;
beforeAll(() => void (handedIn = handedInScene(test, inboundScene(test))));

const newestUpdate = async (taskId: string) => {
  const sql = `SELECT data FROM events WHERE event_type = 'task.updated' AND data ->> 'task_id' = $1 ORDER BY event_id DESC LIMIT 1`;
  return (await test.database.db.query<{ data: Record<string, unknown> }>(sql, [taskId]))[0]?.data;
};
const leftToPerson = { from: 'in_review', to: 'in_review', changed: ['waiting_on'] };

const red = (at: number, over = {}): [string, object] => [
  'check_suite',
  checkSuiteBody(at, { id: 7, conclusion: 'failure', ...over }),
];

describe('the pull request of a task that an agent has completed', () => {
  it('opens it again by red checks of its newest commit: the same agent gets them', async () => {
    const { play, status, received, shown, agentId, taskId, timeline } = await handedIn();
    expect(await status()).toBe('completed');
    await play([
      'workflow_run',
      workflowRunBody(2, { id: 9, name: 'CI', conclusion: 'failure', html_url: 'https://ci/9' }),
    ]);
    expect(await shown(taskId)).toMatchObject({ status: 'open', assigned_agent: agentId, summary: null });
    const reason = 'The checks "CI" of Codertocat/Hello-World#2 ended with failure.';
    expect(await timeline()).toContainEqual(expect.objectContaining({ type: 'status_change', to: 'open', reason }));
    const { attempt, texts } = await received();
    expect(attempt).toBe(2);
    expect(texts).toEqual([expect.stringMatching(/ended with failure for your commit sha-1\. See https:\/\/ci\/9\. /)]);
  });

  it.each([
    ['an older commit', red(2, { head_sha: 'sha-0', pull_requests: [] })],
    ['checks that passed', red(2, { conclusion: 'success' })],
    ['checks that were cancelled', red(2, { conclusion: 'cancelled' })],
  ])('leaves it as it is by %s', async (_, sent) => {
    const { play, status } = await handedIn();
    await play(sent);
    expect(await status()).toBe('completed');
  });

  it('leaves it as it is by red checks of a commit that the agent has replaced, though the source host has not said so', async () => {
    const { play, work, taskId, status } = await handedIn();
    await play(red(2));
    expect(await status()).toBe('open');
    await work(pushedBranch(taskId, { sha: 'sha-2' }));
    await play(red(3, { id: 8 }));
    expect(await status()).toBe('completed');
  });

  it('leaves it to a person when its agent completes it again without another commit', async () => {
    const { play, work, taskId, status, timeline, ctx } = await handedIn();
    await play(red(2));
    await work([], 'Nothing to do.');
    expect(await status()).toBe('in_review');
    const reason = 'There is no new commit since the work was sent back.';
    expect(await timeline()).toContainEqual(
      expect.objectContaining({ type: 'status_change', to: 'in_review', reason }),
    );
    await decideByHand(ctx, { taskId, decision: 'reject', comment: 'Do mend it.' });
    await work(pushedBranch(taskId, { sha: 'sha-2' }));
    expect(await status()).toBe('completed');
  });

  it('takes what its agent pushes after the red commit of a person for the new commit; late results change nothing', async () => {
    const { play, pr, work, taskId, status } = await handedIn();
    await play(pr('synchronize', 2, { sha: 'sha-theirs' }), red(3, { head_sha: 'sha-theirs' }));
    expect(await status()).toBe('open');
    await work(pushedBranch(taskId, { sha: 'sha-2' }));
    expect(await status()).toBe('completed');
    await play(red(4, { id: 8, head_sha: 'sha-theirs' }));
    expect(await status()).toBe('completed');
  });

  it.each([
    ['the commit of before', 'sha-1'],
    ['the red commit itself', 'sha-theirs'],
  ])('leaves it to a person when its agent has no more than %s after the red commit of a person', async (_, sha) => {
    const { play, pr, work, taskId, status } = await handedIn();
    await play(pr('synchronize', 2, { sha: 'sha-theirs' }), red(3, { head_sha: 'sha-theirs' }));
    await work(pushedBranch(taskId, { sha }));
    expect(await status()).toBe('in_review');
  });

  it.each(['approve', 'reject'] as const)('asks for no other commit once a person decided to %s', async (decision) => {
    const { play, comment, work, status, ctx, taskId } = await handedIn();
    await play(red(2));
    await work([], 'Nothing to do.');
    await decideByHand(ctx, { taskId, decision });
    await play(comment(3, { body: 'Why a list?' }));
    expect(await status()).toBe('open');
    await work([], 'It is the shorter one.');
    expect(await status()).toBe('completed');
  });

  it('asks for no other commit after a comment: there may be nothing to change', async () => {
    const { play, comment, work, status } = await handedIn();
    await play(comment(2, { body: 'Why a list?' }));
    await work([], 'It is the shorter one.');
    expect(await status()).toBe('completed');
  });

  it('opens it by checks that came before their commit was known', async () => {
    const { play, pr, status } = await handedIn();
    await play(red(3, { head_sha: 'sha-2' }));
    expect(await status()).toBe('completed');
    await play(pr('synchronize', 2, { sha: 'sha-2' }));
    expect(await status()).toBe('open');
  });

  it('opens it once by the same result, however often and in whatever event it comes; a new attempt is another one', async () => {
    const { play, received, shown, taskId } = await handedIn();
    const asRun = (at: number, more = {}): [string, object] => [
      'workflow_run',
      workflowRunBody(at, { id: 70, check_suite_id: 7, conclusion: 'failure', ...more }),
    ];
    await play(red(2), red(2), asRun(2));
    await play(asRun(3), red(2));
    await play(asRun(8, { run_attempt: 2 }), red(9));
    expect((await received()).texts).toHaveLength(2);
    expect((await shown(taskId)).rework_rounds).toBe(1);
  });

  it.each([
    [
      'asks for changes',
      { state: 'changes_requested', body: 'Use a Map.' },
      /asks for changes of your pull request.*:\n\nUse a Map\.$/s,
    ],
    [
      'writes without a decision',
      { state: 'commented', body: 'Why a list?' },
      /writes about your pull request.*Why a list\?$/s,
    ],
  ])('opens it by a reviewer who %s', async (_, shown, text) => {
    const { play, review, received } = await handedIn();
    await play(review(2, shown));
    expect((await received()).texts).toEqual([expect.stringMatching(text)]);
  });

  it.each([
    ['an approval', { state: 'approved', body: 'Fine.' }],
    ['a review without words, whose comments come by themselves', { state: 'commented', body: '' }],
    ['a stranger who asks for changes', { state: 'changes_requested', body: 'x', author_association: 'NONE' }],
    ['somebody of whom nothing is known', { state: 'changes_requested', body: 'x', author_association: null }],
  ])('leaves it as it is by %s', async (_, shown) => {
    const { play, review, status } = await handedIn();
    await play(review(2, shown));
    expect(await status()).toBe('completed');
  });

  it.each([
    ['approved since', { state: 'approved' }, 'completed'],
    ['dismissed since', { state: 'dismissed' }, 'completed'],
    ['commented since, which decides nothing', { state: 'commented' }, 'open'],
    ['approved by another reviewer since', { state: 'approved', user: { login: 'someone-else' } }, 'open'],
  ])('takes a late request for changes as it is now: %s', async (_, newer, expected) => {
    const { play, review, status } = await handedIn();
    await play(review(5, newer, newer.state === 'dismissed' ? 'dismissed' : 'submitted'));
    await play(review(2, { state: 'changes_requested', body: 'Use a Map.' }));
    expect(await status()).toBe(expected);
  });

  it('opens it by comments on lines: each is a comment of the task and one message; an edit is none', async () => {
    const { play, comment, received, timeline } = await handedIn();
    await play(
      comment(2, { body: 'A Map is better.' }),
      comment(3, { body: 'And here?', path: 'src/b.ts', line: null, original_line: null }),
      comment(2, { body: 'A Map is far better.', updated_at: '2026-11-20T11:00:00Z' }, 'edited'),
    );
    const { texts } = await received();
    expect(texts).toEqual([
      expect.stringMatching(/on your pull request, src\/a\.ts:12:\n\n> @@\n> \+a\n\nA Map is better\.$/),
      expect.stringMatching(/on your pull request, src\/b\.ts:\n\n> @@\n> \+a\n\nAnd here\?$/),
    ]);
    const comments = (await timeline()).flatMap((item) => (item.type === 'comment' ? [item.content] : []));
    expect(comments).toEqual(['src/a.ts:12\n\nA Map is far better.', 'src/b.ts\n\nAnd here?']);
  });

  it('leaves it as it is by a comment of a stranger on a line, and by one that is on none', async () => {
    const { play, comment, status } = await handedIn();
    const talk = issueCommentBody('created', 3, { id: 5, body: 'Nice.' }, { number: 2, pull_request: {} });
    await play(comment(2, { body: 'Run this.', author_association: 'NONE' }), ['issue_comment', talk]);
    expect(await status()).toBe('completed');
  });

  it('leaves it as it is by what this service says in the review of an agent', async () => {
    const { play, review, comment, status, taskId, timeline } = await handedIn();
    const mark = `<!-- eas:review ${taskId} -->`;
    await play(review(2, { state: 'commented', body: `${mark}\n\nAn agent asks for changes.` }));
    await play(comment(3, { body: `${mark}\n\nA Map is better.` }));
    expect(await status()).toBe('completed');
    expect((await timeline()).filter(({ type }) => type === 'comment')).toEqual([]);
  });

  it('opens it once for each commit that has conflicts', async () => {
    const { play, pr, received, status, work, taskId } = await handedIn();
    await play(pr('edited', 2, { mergeable: false }), pr('edited', 3), pr('edited', 4, { mergeable: false }));
    expect(await status()).toBe('open');
    await work(pushedBranch(taskId, { sha: 'sha-2' }));
    await play(pr('synchronize', 5, { sha: 'sha-2' }));
    expect(await status()).toBe('completed');
    await play(pr('edited', 6, { sha: 'sha-2', mergeable: false }));
    const { texts } = await received();
    expect(texts.at(-1)).toMatch(
      /has conflicts with the branch \S+\. Merge the branch \S+ into your branch and resolve/,
    );
    expect(texts).toHaveLength(2);
  });

  it('leaves it as it is once it is closed, and when it is not of the branch of the runner', async () => {
    const { play, pr, status } = await handedIn();
    await play(pr('closed', 2), red(3));
    expect(await status()).toBe('completed');
    const other = await handedIn();
    await other.play(pullOf(other.taskId), [
      'check_suite',
      checkSuiteBody(3, { head_sha: 'sha-3', conclusion: 'failure' }, [3]),
    ]);
    expect(await other.status()).toBe('completed');
  });

  it('leaves it as it is by a branch of that name in another repository, which anybody can make', async () => {
    const { play, pr, status } = await handedIn();
    const fork = { number: 9, sha: 'sha-9', from: 'mallory/Hello-World', mergeable: false };
    await play(pr('opened', 2, fork), [
      'check_suite',
      checkSuiteBody(3, { head_sha: 'sha-9', conclusion: 'failure' }, [9]),
    ]);
    expect(await status()).toBe('completed');
  });
});

const pullOf = (taskId: string): [string, object] => [
  'pull_request',
  pullRequestBody('opened', 2, { number: 3, sha: 'sha-3', ref: `fix/${taskId}` }),
];

describe('what is wrong with the work', () => {
  it('is a message for the agent that works on it', async () => {
    const { play, review, claimed, asAgent, status, timeline } = await handedIn();
    await play(red(2));
    const { lease } = await claimed();
    await play(review(3, { state: 'changes_requested', body: 'Use a Map.' }));
    expect(await status()).toBe('in_progress');
    const messages = (await timeline()).flatMap((item) => (item.type === 'message' ? [item.content] : []));
    expect(messages.at(-1)).toContain('Use a Map.');
    const { lease_id: leaseId, fencing_token } = lease;
    await completeTask(asAgent, { leaseId, body: { fencing_token, summary: 'Done.' } });
  });

  it('goes to a person after so many rounds: the task is in review, and a rejection resets the count', async () => {
    const { play, pr, work, taskId, status, shown, ctx, received } = await handedIn({ maxReworkRounds: 2 });
    for (const round of [1, 2]) {
      await play(red(10 * round, { id: round, head_sha: `sha-${round}` }));
      expect(await status()).toBe('open');
      const sha = `sha-${round + 1}`;
      await work(pushedBranch(taskId, { sha }));
      await play(pr('synchronize', 10 * round + 1, { sha }));
      expect(await shown(taskId)).toMatchObject({ status: 'completed', rework_rounds: round });
    }
    await play(red(30, { id: 3, head_sha: 'sha-3' }));
    expect(await shown(taskId)).toMatchObject({ status: 'in_review', waiting_on: { kind: 'person' } });
    await decideByHand(ctx, { taskId, decision: 'reject', comment: 'Once more.' });
    expect(await shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 0 });
    expect((await received()).texts.slice(-2)).toEqual([expect.stringContaining('ended with failure'), 'Once more.']);
  });

  it('goes to the agent again once a person has approved it: the count is reset', async () => {
    const { play, pr, work, taskId, shown, status, ctx } = await handedIn({ maxReworkRounds: 1 });
    await play(red(2));
    await work(pushedBranch(taskId, { sha: 'sha-2' }));
    await play(pr('synchronize', 3, { sha: 'sha-2' }), red(4, { id: 8, head_sha: 'sha-2' }));
    expect(await status()).toBe('in_review');
    await decideByHand(ctx, { taskId, decision: 'approve' });
    expect(await shown(taskId)).toMatchObject({ status: 'completed', rework_rounds: 0 });
    await play(red(5, { id: 9, head_sha: 'sha-2' }));
    expect(await shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 1 });
  });

  it('takes a task out of its review, which is called off', async () => {
    const { play, status, shown, taskId } = await handedIn({ contract: { review: { role: 'qa' } } });
    expect(await shown(taskId)).toMatchObject({ status: 'in_review', waiting_on: { kind: 'dependency' } });
    const reviewId = (await shown(taskId)).waiting_on?.id ?? '';
    await play(red(2));
    expect(await status()).toBe('open');
    expect((await shown(reviewId)).status).toBe('cancelled');
  });

  it('has a task in review wait for a person in place of the agent once its rounds are used up', async () => {
    const { play, shown, taskId } = await handedIn({ maxReworkRounds: 0, contract: { review: { role: 'qa' } } });
    await play(red(2));
    expect(await shown(taskId)).toMatchObject({ status: 'in_review', waiting_on: { kind: 'person', id: null } });
    expect(await newestUpdate(taskId)).toMatchObject(leftToPerson);
  });

  it('is no rejection of a review: a run does not count it as an attempt', async () => {
    const { play, work, taskId, ctx } = await handedIn({ contract: { review: { person: true } } });
    const rejections = async () => (await readTaskStates(ctx, [taskId])).get(taskId)?.rejections;
    await play(red(2));
    expect(await rejections()).toBe(0);
    await work([]);
    await decideByHand(ctx, { taskId, decision: 'reject' });
    expect(await rejections()).toBe(1);
  });

  it('changes nothing of a task that a person or the platform completed, or that was cancelled', async () => {
    const { play, ctx, taskId, status } = await handedIn();
    await reportStatus(ctx, taskId, 'open');
    await reportStatus(ctx, taskId, 'completed');
    await play(red(2));
    expect(await status()).toBe('completed');
    await reportStatus(ctx, taskId, 'open');
    await reportStatus(ctx, taskId, 'cancelled');
    await play(red(3, { id: 8 }));
    expect(await status()).toBe('cancelled');
  });
});

describe('the reviews of an agent', () => {
  it('send work back as often as the project has it, and then leave it to a person', async () => {
    const { taskId, shown, ctx, asAgent, claimed, tenantId } = await handedIn({
      maxReworkRounds: 1,
      contract: { review: { role: 'qa' } },
    });
    const qa = await createAgent(ctx, { name: 'Quinn', role: 'qa', capabilities: [], max_concurrent_tasks: 1 });
    const asReviewer = { agentId: qa.id, ctx: test.context({ tenantId, actor: { id: qa.id, agentId: qa.id } }) };
    const reject = async () => {
      const { lease_id: leaseId, fencing_token } = (await claimed(asReviewer)).lease;
      const findings = [
        { path: 'src/a.ts', line: 12, body: 'A Map is better.' },
        { path: 'src/b.ts', body: 'Where is its test?' },
      ];
      const result = { decision: 'reject', comment: 'No test.', findings };
      await completeTask(asReviewer.ctx, { leaseId, body: { fencing_token, summary: 'No.', result } });
    };
    await reject();
    expect(await shown(taskId)).toMatchObject({ status: 'open', rework_rounds: 1 });
    const text = 'No test.\n\nsrc/a.ts:12\nA Map is better.\n\nsrc/b.ts\nWhere is its test?';
    const { lease, directives } = await claimed();
    expect(directives).toMatchObject([{ kind: 'message', content: text }]);
    const { lease_id: leaseId, fencing_token } = lease;
    await completeTask(asAgent, { leaseId, body: { fencing_token, summary: 'Done.' } });
    await reject();
    expect(await shown(taskId)).toMatchObject({ status: 'in_review', waiting_on: { kind: 'person', id: null } });
    expect(await newestUpdate(taskId)).toMatchObject(leftToPerson);
  });
});
