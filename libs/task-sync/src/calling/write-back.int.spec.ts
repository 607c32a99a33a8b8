import type { CreateIntegrationBody } from '@eas/contracts';
import { contextInTransaction, takePendingEvents } from '@eas/db';
import {
  askInput,
  completeTask,
  createAgent,
  createWaitingClaims,
  getInput,
  getTask,
  retryTask,
  waitForClaim,
} from '@eas/tasks';
import { ignoredSightings, leavePublicEvents, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { callsOf, forgetCalls, passTime, platformCaller, startPlatform } from '../../test/platform-scene.ts';
import { answerByReplies, reportToPlatform } from '@eas/task-platform';

const test = useTestDatabase();
const secret = 'a secret of this platform';
const at = 1_700_000_000_000;

let platform: Awaited<ReturnType<typeof startPlatform>>;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

let scene: ReturnType<typeof inboundScene>;
let caller: ReturnType<typeof platformCaller>;
let tenantId: string;
let id: string;
let agentId: string;
let lease: { lease_id: string; fencing_token: number };

const ctx = () => test.context({ tenantId });
const agentCtx = () => test.context({ tenantId, actor: { id: agentId, agentId } });
const send = async (body: object) => {
  await scene.sendPlatform(body, { secret, to: id });
  await scene.apply(tenantId);
  await consume('platform.hear');
};

/** Does what the consumer owes. */
async function consume(consumer: 'platform.tell' | 'platform.hear') {
  if (consumer === 'platform.tell') await leavePublicEvents(ctx(), consumer);
  const sql = 'SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = $2 ORDER BY event_id';
  const owed = await test.database.db.query<{ id: string }>(sql, [tenantId, consumer]);
  const ids = owed.map((one) => one.id);
  const handle = consumer === 'platform.tell' ? reportToPlatform : answerByReplies;
  const outside = ctx();
  await test.database.inTransaction(tenantId, async (tx) => {
    await handle(contextInTransaction(outside, tx), await takePendingEvents(tx, consumer, ids));
  });
}

/** A task of the platform that an agent holds. */
async function begin(over: Partial<CreateIntegrationBody> = {}) {
  const body = { type: 'taskplatform', secret, token: 'pk_token', ...over } as CreateIntegrationBody;
  id = (await scene.connect(tenantId, body)).integration.id;
  const data = { name: 'Limit logins', description: 'Five.', status: { status: 'to do' } };
  await send({
    event: 'taskCreated',
    task_id: 't1',
    data,
    history_items: [{ id: 'h1', field: 'task_creation', date: at }],
  });
  agentId = (await createAgent(ctx(), { name: 'Sam', role: 'rd' } as never)).id;
  const waitingClaims = createWaitingClaims(test.database.listener, new AbortController().signal, ignoredSightings);
  const claim = await waitForClaim(agentCtx(), waitingClaims, { agentId, waitMs: 0 });
  lease = { lease_id: claim?.body.lease.lease_id ?? '', fencing_token: claim?.body.lease.fencing_token ?? 0 };
}

const complete = async (summary = 'Five failed logins a minute, then 429.') => {
  const body = { fencing_token: lease.fencing_token, summary } as never;
  await completeTask(agentCtx(), { leaseId: lease.lease_id, body });
  await consume('platform.tell');
};
const ask = async (over: object = {}) => {
  const body = {
    fencing_token: lease.fencing_token,
    kind: 'choice',
    prompt: 'How many?',
    options: ['five', 'ten'],
    blocking: true,
    expires_in_seconds: 3_600,
    ...over,
  } as never;
  const { input } = await askInput(agentCtx(), { leaseId: lease.lease_id, body });
  await consume('platform.tell');
  return input.id;
};
const inputOf = (inputId: string) => getInput(ctx(), { inputId, scopes: ['tasks:read'] });
const linked = () => linkedTask(test, tenantId, 't1');
const posted = () =>
  platform.made('POST /task/t1/comment').map(({ body }) => (body as { comment_text: string }).comment_text);
const statuses = () => platform.made('PUT /task/t1').map(({ body }) => (body as { status: string }).status);
const commentEvent = (commentId: string, text: string, over: object = {}) => ({
  event: 'taskCommentPosted',
  task_id: 't1',
  history_items: [
    {
      id: `h ${commentId}`,
      field: 'comment',
      date: at + 500,
      comment: { id: commentId, text_content: text, user: { id: 1, username: 'John' }, parent: 't1', ...over },
    },
  ],
});

beforeEach(async () => {
  platform.reset();
  await forgetCalls(test);
  platform.answer('POST /task/t1/comment', { status: 200, body: { id: 'c1', date: at + 100 } });
  platform.answer('PUT /task/t1', ({ body }) => ({
    status: 200,
    body: { id: 't1', date_updated: at + 100, status: { status: (body as { status: string }).status, type: 'closed' } },
  }));
  scene = inboundScene(test);
  caller = platformCaller(test, platform.url);
  tenantId = await test.createTenant();
});

describe('a task of the platform that an agent completes', () => {
  it('gets its status and a comment with the summary, once', async () => {
    await begin({ write_back: { status: { completed: 'shipped' } } });
    await complete();
    await caller.run();
    await consume('platform.tell');
    await caller.run();
    expect(statuses()).toEqual(['shipped']);
    expect(posted()).toEqual([
      expect.stringMatching(
        /^An agent completed this task\.\n\nFive failed logins a minute, then 429\.\n\n\(ref evt_\w{26}\)$/,
      ),
    ]);
    expect(await callsOf(test, tenantId)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(await linked()).toMatchObject({ status: 'completed', platformStatus: 'shipped' });
  });

  it('is sent once, when its event is consumed twice', async () => {
    await begin();
    await complete();
    const outside = ctx();
    await test.database.inTransaction(tenantId, async (tx) => {
      const events = await tx.db.query<{ event_id: string; data: object; facts: object }>(
        `SELECT event_id, data, facts FROM events WHERE tenant_id = $1 AND event_type = 'task.completed'`,
        [tenantId],
      );
      const again = events.map(({ event_id: eventId, data }) => ({ eventId, type: 'task.completed', data }) as never);
      await reportToPlatform(contextInTransaction(outside, tx), again);
    });
    await caller.run();
    expect(posted()).toHaveLength(1);
  });

  it.each([
    ['the word that status_map has', { status_map: { Released: 'completed' as const } }, 'released'],
    ['the usual word', {}, 'complete'],
  ])('is set to %s without a rule', async (_, over, word) => {
    await begin(over as Partial<CreateIntegrationBody>);
    await complete();
    await caller.run();
    expect(statuses()).toEqual([word]);
  });

  it('is set to what its list calls done', async () => {
    const list = [
      { status: 'to do', type: 'open' },
      { status: 'shut', type: 'closed' },
      { status: 'live', type: 'done' },
    ];
    platform.answer('GET /list/9', { status: 200, body: { statuses: list } });
    await begin();
    await send({
      event: 'taskUpdated',
      task_id: 't1',
      list_id: '9',
      history_items: [{ id: 'h2', field: 'due_date', after: null, date: at }],
    });
    await complete();
    await caller.run();
    expect(statuses()).toEqual(['live']);
  });

  it('keeps its status and gets no comment where the rule says so', async () => {
    await begin({ write_back: { status: { completed: false }, comments: false } });
    await complete();
    await ask().catch(() => {});
    await caller.run();
    expect(platform.requests).toEqual([]);
  });

  it('is left alone when it was opened again before the call', async () => {
    await begin({ write_back: { comments: false } });
    await complete();
    await retryTask(ctx(), (await linked())?.['id'] as string);
    await caller.run();
    expect(statuses()).toEqual([]);
  });

  it('shows the reason when the platform does not know the status', async () => {
    await begin({ write_back: { comments: false } });
    platform.answer('PUT /task/t1', { status: 400, body: { err: 'Status not found' } });
    await complete();
    await caller.run();
    expect(await callsOf(test, tenantId)).toMatchObject([{ state: 'failed', error: 'status 400: Status not found' }]);
    expect(await linked()).toMatchObject({ platformStatus: 'to do' });
  });

  it('gets no second comment when the response to the first was lost', async () => {
    await begin({ write_back: { status: { completed: false } } });
    await complete();
    platform.answer('POST /task/t1/comment', { status: 502 });
    await caller.run();
    const [text = ''] = posted();
    const comments = [{ id: 'c9', comment_text: text, date: String(at) }];
    platform.answer('GET /task/t1/comment', { status: 200, body: { comments } });
    await passTime(test, tenantId);
    await caller.run();
    expect(posted()).toHaveLength(1);
    expect(await callsOf(test, tenantId)).toMatchObject([{ state: 'done' }]);
  });

  it('gets its comment after a failure of the platform that lost it', async () => {
    await begin({ write_back: { status: { completed: false } } });
    await complete();
    platform.answer('POST /task/t1/comment', { status: 502 });
    await caller.run();
    platform.answer('GET /task/t1/comment', { status: 200, body: { comments: [] } });
    platform.answer('POST /task/t1/comment', { status: 200, body: { id: 'c1', date: at } });
    await passTime(test, tenantId);
    await caller.run();
    expect(posted()).toHaveLength(2);
    expect(await callsOf(test, tenantId)).toMatchObject([{ state: 'done' }]);
  });
});

describe('the echo of what this service wrote', () => {
  const statusEvent = (word: string, date: number) => ({
    event: 'taskStatusUpdated',
    task_id: 't1',
    history_items: [{ id: `h ${word}`, field: 'status', date, after: { status: word, type: 'done' } }],
  });

  it.each(['before', 'after'])('has no effect when it arrives %s the response is stored', async (order) => {
    await begin({ write_back: { status: { completed: 'shipped' } } });
    await complete();
    const [text = ''] = (
      await test.database.db.query<{ text: string }>(
        `SELECT payload ->> 'text' AS text FROM platform_calls WHERE tenant_id = $1 AND kind = 'comment'`,
        [tenantId],
      )
    ).map((one) => one.text);
    const echo = async () => {
      await send(statusEvent('shipped', at + 90));
      await send(commentEvent('c1', `${text}\n`));
    };
    if (order === 'before') {
      platform.answer('PUT /task/t1', { status: 502 });
      platform.answer('POST /task/t1/comment', { status: 502 });
      await caller.run();
    } else await caller.run();
    const before = await linked();
    const taskBefore = await getTask(ctx(), before?.['id'] as string);
    await echo();
    expect(await linked()).toEqual(before);
    expect((await getTask(ctx(), before?.['id'] as string)).version).toBe(taskBefore.version);
  });

  it('is distinguished from what a person writes who quotes it', async () => {
    await begin();
    await complete();
    await caller.run();
    await send(commentEvent('c2', `> ${posted()[0]}\n\nThanks!`));
    expect(await linked()).toMatchObject({ comments: [expect.stringContaining('Thanks!')] });
  });

  it('does not complete a task again that was opened meanwhile', async () => {
    await begin({ write_back: { status: { completed: 'shipped' } } });
    await complete();
    await caller.run();
    await retryTask(ctx(), (await linked())?.['id'] as string);
    await send(statusEvent('shipped', at + 90));
    expect((await linked())?.['status']).not.toBe('completed');
  });
});

describe('a question of an agent', () => {
  it('is posted with its options, and the reply of a person answers it', async () => {
    await begin();
    const inputId = await ask();
    await caller.run();
    expect(posted()[0]).toMatch(/An agent asks:\n\nHow many\?\n\n1\. five\n2\. ten\n\n.*\(ref inp_\w+\)$/s);
    await send(commentEvent('c2', '2'));
    expect(await inputOf(inputId)).toMatchObject({
      status: 'answered',
      answer: 'ten',
      answered_by: id,
      answered_by_name: 'John',
      comment: null,
    });
    expect(await linked()).toMatchObject({ comments: ['2'] });
  });

  it('that does not block is posted too, and a reply in its thread is the answer', async () => {
    await begin();
    const inputId = await ask({ kind: 'question', options: [], blocking: false });
    await caller.run();
    await send(commentEvent('c2', 'as many as you like', { parent: 'c1' }));
    expect(await inputOf(inputId)).toMatchObject({ status: 'answered', answer: 'as many as you like' });
  });

  it('is not answered by its own echo, by an automation, or by other talk', async () => {
    await begin();
    const inputId = await ask();
    await caller.run();
    await send(commentEvent('c1', posted()[0] ?? ''));
    await send(commentEvent('c3', 'five', { user: null }));
    await send(commentEvent('c4', 'I will ask'));
    expect((await inputOf(inputId)).status).toBe('pending');
    expect(await linked()).toMatchObject({ comments: ['five', 'I will ask'] });
  });

  it('keeps its first answer', async () => {
    await begin();
    const inputId = await ask();
    await caller.run();
    await send(commentEvent('c2', 'five'));
    await send(commentEvent('c3', '@answer ten'));
    expect(await inputOf(inputId)).toMatchObject({ answer: 'five' });
  });

  it('is not answered by a comment that was written before it', async () => {
    platform.answer('POST /task/t1/comment', { status: 200, body: { id: 'c1', date: at + 9_000 } });
    await begin();
    const inputId = await ask();
    await caller.run();
    await send(commentEvent('c2', 'five'));
    expect((await inputOf(inputId)).status).toBe('pending');
  });
});
