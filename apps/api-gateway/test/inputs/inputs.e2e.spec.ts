import { sweepExpiredInputs, sweepUnrevivedLeases } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { expectError, useGateway } from '../gateway.ts';
import { agentScene, eventsOf, passTime } from './agent-scene.ts';

const gateway = useGateway();
const answer = (inputId: string, body: object) => gateway.post(`/v1/inputs/${inputId}/answer`, body);
const moment = expect.stringMatching(/Z$/);

describe('an input', () => {
  it('that blocks parks the lease: no end, a free slot, and the task shows what it waits for', async () => {
    const { id, role, hold, ask, call, readTask, readAgent } = await agentScene(gateway);
    const { task, lease } = await hold();
    const asked = await ask(lease, { kind: 'choice', options: ['one', 'two'] });
    const input = asked.body.input;
    expect([asked.status, asked.headers.get('location'), asked.body]).toEqual([
      201,
      expect.stringMatching(new RegExp(`/v1/inputs/${input.id}$`)),
      {
        expires_at: null,
        directives: [],
        input: {
          id: expect.stringMatching(/^inp_/),
          task_id: task.id,
          lease_id: lease.lease_id,
          agent_id: id,
          kind: 'choice',
          prompt: 'Which one?',
          options: ['one', 'two'],
          form: null,
          permission: null,
          blocking: true,
          status: 'pending',
          answer: null,
          content: null,
          decision: null,
          comment: null,
          answered_by: null,
          answered_by_name: null,
          answered_at: null,
          created_at: moment,
          expires_at: moment,
        },
      },
    ]);
    expect(Date.parse(input.expires_at) - Date.parse(input.created_at)).toBeCloseTo(72 * 3_600_000, -4);
    const shown = await readTask(task.id);
    expect(shown).toMatchObject({ status: 'blocked', assigned_agent: id });
    expect(shown.waiting_on).toEqual({ kind: 'person', id: input.id, since: moment, deadline: input.expires_at });
    expect(await readAgent()).toMatchObject({ status: 'idle', current_tasks: [{ id: task.id }] });
    expect((await eventsOf(gateway, task.id)).at(-1)).toEqual([
      'task.blocked',
      {
        task_id: task.id,
        title: 'Work',
        assigned_agent: id,
        input_id: input.id,
        kind: 'choice',
        prompt: 'Which one?',
        options: ['one', 'two'],
        form: null,
        permission: null,
        expires_at: input.expires_at,
      },
    ]);
    const listed = await gateway.get(`/v1/inputs?status=pending&blocking=true&task_id=${task.id}`);
    expect(listed.body).toMatchObject({ data: [input], metadata: { total: 1 } });
    expect((await call(lease, 'heartbeat')).body).toEqual({ expires_at: null, directives: [] });
    expect(role).toMatch(/^asks-/);
  });

  it('that was answered revives the lease with the next call, under the same token', async () => {
    const { id, hold, ask, call, readTask, readAgent } = await agentScene(gateway);
    const { task, lease } = await hold();
    const { input } = (await ask(lease)).body;
    const said = await answer(input.id, { answer: 'The first.', comment: 'Quickly.' });
    expect(said.body).toMatchObject({ status: 'answered', answer: 'The first.', decision: null, comment: 'Quickly.' });
    expect(said.body).toMatchObject({ answered_by: expect.stringMatching(/^key_/), answered_at: moment });
    expect((await readTask(task.id)).waiting_on).toMatchObject({ kind: 'agent', id, deadline: moment });
    const beat = await call(lease, 'heartbeat');
    expect(beat.body).toEqual({
      expires_at: moment,
      directives: [
        {
          id: expect.stringMatching(/^dir_/),
          kind: 'answer',
          created_at: moment,
          input_id: input.id,
          answer: 'The first.',
          comment: 'Quickly.',
        },
      ],
    });
    expect(await readTask(task.id)).toMatchObject({
      status: 'in_progress',
      waiting_on: { kind: 'agent', id, deadline: moment },
    });
    expect((await readAgent()).status).toBe('busy');
    expect((await call(lease, 'complete')).status).toBe(200);
    const types = (await eventsOf(gateway, task.id)).map(([type, { from, to }]) =>
      to ? `${type} ${from} ${to}` : type,
    );
    expect(types.slice(-4)).toEqual([
      'task.blocked',
      'task.answered',
      'task.updated blocked in_progress',
      'task.completed',
    ]);
    const timeline = (await gateway.get(`/v1/tasks/${task.id}/timeline?sort=seq`)).body.data;
    expect(timeline.filter(({ type }: { type: string }) => ['input', 'answer'].includes(type))).toMatchObject([
      { type: 'input', input_id: input.id, kind: 'question', prompt: 'Which one?', blocking: true, actor: id },
      { type: 'answer', input_id: input.id, answer: 'The first.', comment: 'Quickly.' },
    ]);
  });

  it('that does not block lets the agent go on, and the answer comes with its next call', async () => {
    const { hold, ask, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const asked = (await ask(lease, { kind: 'approval', blocking: false })).body;
    expect(asked.expires_at).toEqual(moment);
    expect((await readTask(task.id)).status).toBe('in_progress');
    expect((await answer(asked.input.id, { decision: 'reject' })).status).toBe(200);
    const { directives } = (await call(lease, 'heartbeat')).body;
    expect(directives).toMatchObject([{ kind: 'answer', input_id: asked.input.id, decision: 'reject' }]);
  });

  it('asked again while it waits is the same one', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const first = await ask(lease);
    const again = await ask(lease);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await ask(lease, { prompt: 'Another one?' });
    expectError(other, 409, 'conflict', { field: 'lease_id', constraint: 'state' });
    expect(other.body.error.message).toContain(first.body.input.id);
  });

  it('parks a lease for heartbeats alone: the work waits for the answer', async () => {
    const { hold, ask, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    await ask(lease);
    const before = await gateway.rows();
    for (const verb of ['progress', 'complete'])
      expectError(await call(lease, verb), 409, 'conflict', { field: 'lease_id', constraint: 'state' });
    expect(await gateway.rows()).toEqual(before);
    expect((await readTask(task.id)).status).toBe('blocked');
  });

  it('whose agent has taken other work waits for a free slot', async () => {
    const { hold, ask, call, claim, addTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const { input } = (await ask(lease)).body;
    const other = await addTask();
    const second = (await claim()).body;
    expect(second.task.id).toBe(other.id);
    await answer(input.id, { answer: 'Yes.' });
    expectError(await call(lease, 'heartbeat'), 409, 'conflict', { field: 'lease_id', constraint: 'limit' });
    await call(second.lease, 'complete');
    expect((await call(lease, 'heartbeat')).body.expires_at).toEqual(moment);
    expect((await call(lease, 'complete')).status).toBe(200);
    expect(task.id).not.toBe(other.id);
  });

  it('whose agent does not return in time opens the task, still planned for it', async () => {
    const { id, hold, ask, call, claim, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const { input } = (await ask(lease)).body;
    await answer(input.id, { answer: 'Yes.' });
    expect(await sweepUnrevivedLeases(gateway.test.database)).toBe(0);
    await passTime(gateway, task.id, 11);
    expectError(await call(lease, 'heartbeat'), 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    expect(await sweepUnrevivedLeases(gateway.test.database)).toBe(1);
    expect(await sweepUnrevivedLeases(gateway.test.database)).toBe(0);
    expect(await readTask(task.id)).toMatchObject({ status: 'open', assigned_agent: id });
    const claimed = (await claim()).body;
    expect(claimed).toMatchObject({
      task: { id: task.id },
      context: { answers: [{ input_id: input.id, answer: 'Yes.' }] },
      directives: [{ kind: 'answer', input_id: input.id, answer: 'Yes.' }],
    });
    expect(claimed.lease.fencing_token).toBeGreaterThan(lease.fencing_token);
  });

  it('that is not answered in time fails the task that it blocks, and notifies the agent of any other', async () => {
    const { hold, ask, call, readTask, readAgent } = await agentScene(gateway, { max_concurrent_tasks: 2 });
    const blocked = await hold();
    const { input } = (await ask(blocked.lease, { expires_in_seconds: 60 })).body;
    const running = await hold();
    const other = (await ask(running.lease, { blocking: false, expires_in_seconds: 60 })).body.input;
    for (const { task } of [blocked, running]) await passTime(gateway, task.id, 2);
    expect(await sweepExpiredInputs(gateway.test.database)).toBe(2);
    expect(await sweepExpiredInputs(gateway.test.database)).toBe(0);
    expect(await readTask(blocked.task.id)).toMatchObject({ status: 'failed', waiting_on: null });
    expect((await eventsOf(gateway, blocked.task.id)).at(-1)).toMatchObject([
      'task.failed',
      { reason: 'the input was not answered in time' },
    ]);
    expect(await readAgent()).toMatchObject({ status: 'active', current_tasks: [{ id: running.task.id }] });
    const beat = (await call(running.lease, 'heartbeat')).body;
    expect(beat.directives).toMatchObject([{ kind: 'answer', input_id: other.id, expired: true }]);
    for (const { id } of [input, other])
      expect((await gateway.get(`/v1/inputs/${id}`)).body).toMatchObject({ status: 'expired', answered_at: null });
  });

  it('is cancelled when its lease ends before the answer', async () => {
    const { hold, ask, readAgent } = await agentScene(gateway);
    const { task, lease } = await hold();
    const { input } = (await ask(lease)).body;
    expect((await gateway.send('DELETE', `/v1/tasks/${task.id}`)).status).toBe(204);
    expect((await gateway.get(`/v1/inputs/${input.id}`)).body.status).toBe('cancelled');
    expect((await readAgent()).status).toBe('idle');
  });

  it('is seen by the agent that asks it, and by no other without tasks:read', async () => {
    const [one, other] = [await agentScene(gateway), await agentScene(gateway)];
    const { lease } = await one.hold();
    const { input } = (await one.ask(lease)).body;
    const as = ({ key }: { key: string }) => ({ key });
    expect((await gateway.get(`/v1/inputs/${input.id}`, as(one))).body).toEqual(input);
    expect((await gateway.get('/v1/inputs', as(one))).body.data).toEqual([input]);
    expectError(await gateway.get(`/v1/inputs/${input.id}`, as(other)), 404, 'not_found');
    expect((await gateway.get(`/v1/inputs?agent_id=${one.id}`, as(other))).body.metadata.total).toBe(0);
    expectError(await gateway.post(`/v1/inputs/${input.id}/answer`, { answer: 'a' }, as(one)), 403, 'forbidden');
  });
});

describe('bad input changes nothing:', () => {
  it.each<[string, object, string, string]>([
    ['a choice without options', { kind: 'choice' }, 'options', 'min_length'],
    ['a choice of one', { kind: 'choice', options: ['a'] }, 'options', 'min_length'],
    ['an option twice', { kind: 'choice', options: ['a', 'b', 'a'] }, 'options.2', 'exists'],
    ['a question with options', { options: ['a', 'b'] }, 'options', 'max_length'],
    ['a blank prompt', { prompt: ' ' }, 'prompt', 'required'],
    ['U+0000 in the prompt', { prompt: 'a\0' }, 'prompt', 'format'],
    ['an unknown kind', { kind: 'song' }, 'kind', 'enum'],
    ['too little time', { expires_in_seconds: 59 }, 'expires_in_seconds', 'min'],
    ['too much time', { expires_in_seconds: 2_592_001 }, 'expires_in_seconds', 'max'],
  ])('asking with %s', async (_, more, field, constraint) => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const before = await gateway.rows();
    expectError(await ask(lease, more), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it('asking with another token, under the lease of another, or under none', async () => {
    const [one, other] = [await agentScene(gateway), await agentScene(gateway)];
    const { lease } = await one.hold();
    const before = await gateway.rows();
    const stale = { ...lease, fencing_token: lease.fencing_token + 1 };
    const lost = { field: 'fencing_token', constraint: 'lease_lost' };
    expectError(await one.ask(stale), 409, 'conflict', lost);
    expectError(await other.ask(lease), 403, 'forbidden');
    expectError(await one.ask({ ...lease, lease_id: 'lse_none' }), 404, 'not_found');
    expect(await gateway.rows()).toEqual(before);
  });

  it('a twenty-first question while twenty wait', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    for (let n = 0; n < 20; n += 1) await ask(lease, { prompt: `${n}`, blocking: false });
    const before = await gateway.rows();
    expectError(await ask(lease), 409, 'conflict', { field: 'lease_id', constraint: 'limit' });
    expect(await gateway.rows()).toEqual(before);
  });

  it.each<[string, object, object, string, string]>([
    ['a decision to a question', {}, { decision: 'approve' }, 'answer', 'required'],
    ['a decision in addition to the text', {}, { answer: 'a', decision: 'approve' }, 'decision', 'unknown_field'],
    ['nothing', {}, {}, 'answer', 'required'],
    ['a wrong option', { kind: 'choice', options: ['a', 'b'] }, { answer: 'c' }, 'answer', 'enum'],
    ['text to an approval', { kind: 'approval' }, { answer: 'yes' }, 'decision', 'required'],
    ['an unknown decision', { kind: 'approval' }, { decision: 'maybe' }, 'decision', 'enum'],
    ['a blank comment', {}, { answer: 'a', comment: ' ' }, 'comment', 'required'],
    ['an unknown field', {}, { answer: 'a', reason: 'b' }, 'reason', 'unknown_field'],
  ])('answering with %s', async (_, question, body, field, constraint) => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const { input } = (await ask(lease, question)).body;
    const before = await gateway.rows();
    expectError(await answer(input.id, body), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it('a second answer; the same one again gets the same response', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const { input } = (await ask(lease)).body;
    const said = await answer(input.id, { answer: 'Yes.' });
    const before = await gateway.rows();
    const again = await answer(input.id, { answer: 'Yes.' });
    expect([again.status, again.body]).toEqual([200, said.body]);
    for (const body of [{ answer: 'No.' }, { answer: 'Yes.', comment: 'But.' }])
      expectError(await answer(input.id, body), 409, 'conflict', { field: 'status', constraint: 'state' });
    expect(await gateway.rows()).toEqual(before);
  });

  it('an answer to an input that has expired, swept or not, or was cancelled', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const { input } = (await ask(lease, { expires_in_seconds: 60 })).body;
    await passTime(gateway, task.id, 2);
    const refused = async () => {
      const before = await gateway.rows();
      const late = await answer(input.id, { answer: 'Yes.' });
      expectError(late, 409, 'conflict', { field: 'status', constraint: 'state' });
      expect(await gateway.rows()).toEqual(before);
    };
    await refused();
    await sweepExpiredInputs(gateway.test.database);
    await refused();
    const second = await hold();
    const other = (await ask(second.lease)).body.input;
    await gateway.send('PATCH', `/v1/tasks/${second.task.id}`, JSON.stringify({ status: 'completed' }));
    expectError(await answer(other.id, { answer: 'Yes.' }), 409, 'conflict', { field: 'status', constraint: 'state' });
  });

  it('an answer from another tenant', async () => {
    const { hold, ask } = await agentScene(gateway);
    const { lease } = await hold();
    const { input } = (await ask(lease)).body;
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['tasks:read', 'tasks:write'], { tenantId });
    const before = await gateway.rows();
    expectError(await gateway.post(`/v1/inputs/${input.id}/answer`, { answer: 'Yes.' }, { key }), 404, 'not_found');
    expectError(await gateway.get(`/v1/inputs/${input.id}`, { key }), 404, 'not_found');
    expect((await gateway.get('/v1/inputs', { key })).body.metadata.total).toBe(0);
    expect(await gateway.rows()).toEqual(before);
  });
});
