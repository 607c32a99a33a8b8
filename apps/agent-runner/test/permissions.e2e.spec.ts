import { describe, expect, it } from '@jest/globals';
import { doubleLine } from '../src/acp/double-agent.fixture.ts';
import { gitOf, useRemotes } from '../src/git/remote.fixture.ts';
import { type Json, useRunners } from './runners.ts';

const { call, get, addTask, untilTask, start, fileOf } = useRunners();
const { makeRemote } = useRemotes();
const isOver = ({ status }: Json) => status === 'completed' || status === 'failed';
let roles = 0;

/** A task whose agent, which is played, has to ask for permission to use its tool. */
async function scene(script: string, answerSeconds: number, flags: readonly string[] = []) {
  const role = `permits-${(roles += 1)}`;
  const url = makeRemote(`acme/${role}`);
  const project = await call('POST', '/v1/projects', { name: role, repositories: [{ url }] });
  const rules = [{ action: 'ask', tool: 'execute', pattern: 'echo *' }];
  expect((await call('POST', '/v1/policies', { role, rules })).status).toBe(201);
  const { id } = await addTask(role, { project: project.body.id });
  const agent = ['--acp', doubleLine(script, ...flags), '--answer-wait', String(answerSeconds)];
  start(role, undefined, agent);
  return { id, hello: () => gitOf(url, 'show', `task/${id}:hello.txt`) };
}

/** What the task waits for. */
async function asked(id: string): Promise<Json> {
  const { waiting_on: waiting } = await untilTask(id, (task) => task.waiting_on?.kind === 'person' || isOver(task));
  return get(`/v1/inputs/${waiting.id}`);
}
const answer = (input: Json, body: object) => call('POST', `/v1/inputs/${input.id}/answer`, body);

describe('an agent that has to ask a person', () => {
  it('goes on when it is allowed once', async () => {
    const { id, hello } = await scene('commit', 60);
    const input = await asked(id);
    expect(input).toMatchObject({
      kind: 'permission',
      permission: { tool: 'execute', title: 'echo hello > hello.txt' },
    });
    expect((await answer(input, { decision: 'allow_once' })).status).toBe(200);
    expect(await untilTask(id, isOver)).toMatchObject({ status: 'completed' });
    expect(hello()).toBe('hello');
  });

  it('fails without its tool when it is rejected', async () => {
    const { id } = await scene('commit', 60);
    await answer(await asked(id), { decision: 'reject' });
    expect((await untilTask(id, isOver)).status).toBe('failed');
  });

  it('is asked for no more after it was allowed always', async () => {
    const { id, hello } = await scene('repair', 60);
    await answer(await asked(id), { decision: 'allow_always' });
    expect((await untilTask(id, isOver)).status).toBe('completed');
    expect(hello()).toBe('bad');
    const { data } = await get(`/v1/tasks/${id}/permissions`);
    expect(data).toMatchObject([{ tool: 'execute', subject: 'echo bad > hello.txt' }]);
  });

  it('ends while the person thinks, and goes on with the answer in its session', async () => {
    const { id, hello } = await scene('commit', 1, ['--resume']);
    const input = await asked(id);
    await untilTask(id, () => fileOf(id, 'output.log').includes('[stop] cancelled') || true);
    await answer(input, { decision: 'allow_once' });
    expect((await untilTask(id, isOver)).status).toBe('completed');
    expect(hello()).toBe('hello');
    expect((await get(`/v1/inputs?task_id=${id}`)).metadata.total).toBe(1);
  });

  it('with a form goes on with what was filled in', async () => {
    const { id, hello } = await scene('elicitation', 60);
    const input = await asked(id);
    expect(input).toMatchObject({ kind: 'form', prompt: 'Which colour?' });
    expect((await answer(input, { content: { colour: 'green' } })).status).toBe(400);
    await answer(input, { content: { colour: 'blue' } });
    await answer(await asked(id), { decision: 'allow_once' });
    expect((await untilTask(id, isOver)).status).toBe('completed');
    expect(hello()).toBe('blue');
  });
});
