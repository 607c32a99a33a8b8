import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useEas } from './eas.ts';
import { useRunners } from './runners.ts';

const { baseUrl: url, apiKey, call, get, addTask, start, untilTask } = useRunners();
const { eas, easProcess, home } = useEas();

beforeAll(async () => {
  expect(await easProcess(['login', url()], apiKey())).toMatchObject({ code: 0, stderr: '' });
});

const idIn = (output: string): string => /[a-z]{3}_[0-9a-z]{26}/.exec(output)?.[0] ?? '';

describe('eas login', () => {
  it('keeps a key that the service takes, in a file of its user', async () => {
    const { output } = await eas(['login', url()], apiKey());
    expect(output).toBe(`Logged in to ${url()}. The key is kept in ${join(home(), '.config', 'eas', 'keys.json')}.`);
    expect(JSON.parse(readFileSync(join(home(), '.config', 'eas', 'keys.json'), 'utf8'))).toEqual({
      [url()]: apiKey(),
    });
  });

  it('names the agent whose key it is', async () => {
    const agent = (await call('POST', '/v1/agents', { name: 'Ada', role: 'rd' })).body;
    const { key } = (await call('POST', `/v1/agents/${agent.id}/keys`, { name: 'k' })).body;
    const { output } = await eas(['login', url()], key, { XDG_CONFIG_HOME: join(home(), 'of-ada') });
    expect(output).toContain(` as Ada (${agent.id})`);
  });

  it.each([
    ['a wrong key', () => [url()], 'eas_live_wrong', 3, /API key|key/],
    ['no key', () => [url()], 'two words', 2, /The API key is not valid/],
    ['another address', () => ['ftp://a'], 'key', 1, /is not the address of a service/],
    ['no service', () => ['http://127.0.0.1:1'], 'key', 6, /http:\/\/127\.0\.0\.1:1: /],
  ])('with %s says so, and changes nothing', async (_, args, key, code, sentence) => {
    const result = await eas(['login', ...args()], key);
    expect(result).toMatchObject({ code, output: '', stderr: expect.stringMatching(sentence) });
    expect((await eas(['task', 'list', '--limit', '1'])).code).toBe(0);
  });

  it('is undone by eas logout', async () => {
    const env = { XDG_CONFIG_HOME: join(home(), 'another') };
    await eas(['login', url()], apiKey(), env);
    expect(await eas(['logout'], '', env)).toMatchObject({ code: 0, output: `Logged out of ${url()}.` });
    expect(await eas(['task', 'list'], '', env)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('run eas login'),
    });
  });
});

describe('eas task', () => {
  it('creates a task with a project given by its name, and shows it', async () => {
    const project = (await call('POST', '/v1/projects', { name: 'Shop' })).body;
    const made = await eas(
      ['task', 'create', 'Fix it', '-d', '-', '-r', 'unstaffed', '-p', 'Shop', '-t', 'a', '-t', 'b'],
      'All of it.',
    );
    expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^tsk_\w+$/) });
    const task = await get(`/v1/tasks/${made.output}`);
    expect(task).toMatchObject({
      description: 'All of it.',
      assigned_role: 'unstaffed',
      tags: ['a', 'b'],
      project: project.id,
    });
    const { output } = await eas(['task', 'show', made.output]);
    expect(output).toContain('Fix it\n');
    expect(output).toContain('All of it.');
    const listed = await eas(['task', 'list', '--role', 'unstaffed', '--project', 'Shop']);
    expect(listed.output.split('\n')).toEqual([expect.stringContaining('title'), expect.stringContaining(made.output)]);
    const json = await eas(['task', 'show', made.output, '--json']);
    expect(JSON.parse(json.output)).toMatchObject({ id: made.output, project: project.id });
  });

  it('reads a key from a descriptor once, however many calls it makes', async () => {
    const project = (await call('POST', '/v1/projects', { name: 'Piped' })).body;
    const flags = ['--key-fd', '0', '--url', url()];
    const made = await easProcess([...flags, 'task', 'create', 'Piped', '-r', 'unstaffed', '-p', 'Piped'], apiKey());
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(await get(`/v1/tasks/${made.output}`)).toMatchObject({ project: project.id });
  });

  it('follows a task until it has ended; only a completed one is a success', async () => {
    start('watched', 'echo "$SAY progress 50 Half."');
    const good = await eas(['task', 'create', 'Good', '--role', 'watched', '--watch']);
    expect(good).toMatchObject({ code: 0, output: expect.stringContaining('→ completed') });
    const bad = await addTask('unstaffed-here');
    await call('DELETE', `/v1/tasks/${bad.id}`);
    const { code, stderr } = await easProcess(['task', 'watch', bad.id]);
    expect([code, stderr]).toEqual([7, 'The task is cancelled.']);
  });

  it.each([
    [['task', 'show', 'tsk_nope'], 4, 'The task does not exist.'],
    [['task', 'create', 'x', '--project', 'none'], 4, 'There is no project "none".'],
    [['task', 'create', 'x', '--priority', 'huge'], 2, 'Allowed choices are low, medium'],
    [['task', 'create'], 2, "missing required argument 'title'"],
    [['task', 'list', '--limit', 'many'], 1, 'limit'],
    [['tsk'], 2, "unknown command 'tsk'"],
    [['task', 'list', '--key', 'secret'], 2, "unknown option '--key'"],
    [['task', 'list', '--url', 'http://127.0.0.1:1'], 3, 'An API key is required'],
  ])('%j is refused with a sentence and a code', async (args, code, sentence) => {
    const result = await eas(args);
    expect(result).toMatchObject({ code, output: '', stderr: expect.stringContaining(sentence) });
  });
});

describe('eas inbox', () => {
  it('lists what agents ask, and answers it', async () => {
    start('asking', 'echo "$SAY ask {\\"kind\\":\\"question\\",\\"prompt\\":\\"Which colour?\\"}"');
    const task = await addTask('asking');
    await untilTask(task.id, ({ status }) => status === 'blocked');
    const { output } = await eas(['inbox']);
    expect(output).toContain('Which colour?');
    const id = /inp_[0-9a-z]{26}/.exec(output)?.[0] ?? '';
    expect(await eas(['inbox', 'answer', id])).toMatchObject({ code: 2 });
    expect(await eas(['inbox', 'answer', id, 'red', '--approve'])).toMatchObject({ code: 2 });
    expect(await eas(['inbox', 'answer', id, 'red'])).toMatchObject({ code: 0, output: `${id} is answered.` });
    expect(await eas(['inbox', 'answer', id, 'blue'])).toMatchObject({ code: 5 });
  });

  it('fills in forms, and allows what agents want to do', async () => {
    const ask = (role: string, input: object) => {
      start(role, `echo "$SAY ask $ASKED"`, [], { ASKED: JSON.stringify(input) });
      return addTask(role);
    };
    const idOf = async (task: { id: string }): Promise<string> => {
      await untilTask(task.id, ({ status }) => status === 'blocked');
      return (await call('GET', `/v1/inputs?task_id=${task.id}&status=pending`)).body.data[0].id;
    };
    const properties = { port: { type: 'integer', minimum: 1_024 } };
    const form = await idOf(await ask('filling', { kind: 'form', prompt: 'Which port?', form: { properties } }));
    expect(await eas(['inbox', 'answer', form, '--content', '80'])).toMatchObject({ code: 2 });
    expect(await eas(['inbox', 'answer', form, '--content', '{"port":80}', '--reject'])).toMatchObject({ code: 2 });
    const misfit = await eas(['inbox', 'answer', form, '--content', '{"port":80}']);
    expect(misfit).toMatchObject({ code: 1, stderr: expect.stringContaining('content.port must be at least 1024') });
    const filled = await eas(['inbox', 'answer', form, '--content', '{"port":8080}']);
    expect(filled).toMatchObject({ code: 0, output: `${form} is answered.` });
    const permission = { tool: 'execute', title: 'Push', command: 'git push' };
    const wanted = await idOf(await ask('wanting', { kind: 'permission', prompt: 'Push', permission }));
    expect(await eas(['inbox', 'answer', wanted, '--allow-once', '--reject'])).toMatchObject({ code: 2 });
    expect(await eas(['inbox', 'answer', wanted, '--allow-always'])).toMatchObject({ code: 0 });
    expect((await call('GET', `/v1/inputs/${wanted}`)).body).toMatchObject({ decision: 'allow_always' });
  });
});

describe('eas run', () => {
  it('starts a run by the name of its workflow, with parameters, and shows its steps', async () => {
    const step = { id: 'only', name: 'Look', role: 'unstaffed', task: { title: 't', description: 'd' } };
    const workflow = { name: 'Audit', description: 'd', estimated_duration: '1 hour', steps: [step] };
    await call('POST', '/v1/workflows', workflow);
    const started = await eas(['run', 'start', 'Audit', '-n', 'Friday', '-p', 'depth=3', '-p', 'area=web']);
    expect(started.code).toBe(0);
    const run = await get(`/v1/runs/${idIn(started.output)}`);
    expect(run).toMatchObject({ name: 'Friday', parameters: { depth: 3, area: 'web' } });
    const { output } = await eas(['run', 'show', started.output]);
    expect(output).toMatch(/Friday[^]*started[^]*Look +unstaffed +in_progress/);
    expect(await eas(['run', 'start', 'None'])).toMatchObject({ code: 4, stderr: 'There is no workflow "None".' });
    expect(await eas(['run', 'start', 'Audit', '-p', '=3'])).toMatchObject({ code: 2 });
  });
});
