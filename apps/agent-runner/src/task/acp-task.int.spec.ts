import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@eas/testing/eventually';
import { mostKeptBytes } from '@eas/testing/kept-memory';
import { describe, expect, it } from '@jest/globals';
import { double } from '../acp/double-agent.fixture.ts';
import type { Call } from '../api/api.ts';
import { useRemotes } from '../git/remote.fixture.ts';
import { readDenyRule } from '../presets/deny-rule.ts';
import { answers, at, helloIn, repositoryOf, type Scene, taskId, useClaims, waits } from './claim-scene.fixture.ts';

const { run, scene, work, workspace } = useClaims();
const { makeRemote } = useRemotes();
const deny = [readDenyRule('execute:echo *')].filter((rule) => rule !== undefined);
const check = { name: 'tests', command: 'grep -q good hello.txt', timeout_seconds: 60 };

/** Whether it runs: a process runs once its end is awaited. */
const isAlive = (pid: number) => /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]).stdout.toString());

describe('a task with an agent of the protocol', () => {
  it('is completed with what the agent changed, and its last message', async () => {
    const url = makeRemote();
    const { complete, kinds, read } = await work(url, { agent: double('commit') });
    expect(complete).toMatchObject({ summary: 'hello.txt is written.' });
    expect(helloIn(url)).toBe('hello');
    expect(kinds).toEqual(['branch', 'commit', 'diff']);
    expect(read('output.log')).toContain('[permission] allowed: Shell: echo hello > hello.txt');
  });

  it('shows people what the agent was to do, said and did, before it is completed', async () => {
    const { bodies, calls } = await work(makeRemote(), { agent: double('commit') });
    const entries = (bodies('session/entries') as { entries: object[] }[]).flatMap((body) => body.entries);
    expect(entries).toContainEqual({ kind: 'prompt', text: expect.stringContaining('# Work') });
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'tool', title: 'echo hello > hello.txt' }));
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'permission', is_allowed: true }));
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'text', text: 'hello.txt is written.' }));
    expect(entries.at(-1)).toEqual({ kind: 'stop', reason: 'end_turn' });
    const verbs = calls.map(({ path }) => path.split('/').slice(4).join('/'));
    expect(verbs.lastIndexOf('session/entries')).toBeLessThan(verbs.indexOf('complete'));
  });

  it('gives the agent its folder, its mode and its environment, without the key of the runner', async () => {
    process.env['API_KEY'] = 'of the runner';
    const { read } = await work(makeRemote(), { agent: double('commit') });
    delete process.env['API_KEY'];
    const { cwd, env } = JSON.parse(read('double.json'));
    expect(cwd).toBe(join(workspace(), taskId, 'work/web'));
    expect(env).toMatchObject({ TASK_ID: taskId, GIT_AUTHOR_NAME: 'Ada' });
    expect(env).not.toHaveProperty('API_KEY');
    expect(read('prompts.txt')).toMatch(/# Work\n\nDo it\./);
  });

  it.each<[string, string, Scene, object]>([
    ['has commits of its own', 'own-commit', {}, { complete: { summary: 'hello.txt is written.' } }],
    ['prints what is no message', 'garbage', {}, { complete: { summary: 'hello.txt is written.' } }],
    ['says that it did something, and did not', 'no-change', {}, { fail: /^The agent changed nothing\.\nhello/ }],
    ['fails with its model', 'error', {}, { fail: /The agent failed: Internal error: 500 The server had an error/ }],
    ['reports the failure of its model as a good end', 'failure', {}, { fail: /exceeded retry limit/ }],
    ['does nothing at all', 'silent', {}, { fail: /did nothing/ }],
    ['stops at a limit', 'limit', {}, { fail: /max_tokens/ }],
    ['crashes', 'crash', {}, { fail: /in the middle of its work: exit code 3.*out of memory/s }],
    ['leaves with exit code 0', 'leave', {}, { fail: /in the middle of its work: exit code 0/ }],
    ['kills its own process group', 'kill-group', {}, { fail: /in the middle of its work: by SIGKILL/ }],
    ['sends half a message', 'broken', {}, { fail: /not JSON/ }],
    ['needs a login', 'commit --login', {}, { fail: /Authentication required/ }],
    ['speaks another version', 'commit --v2', {}, { fail: /version 2/ }],
  ])('whose agent %s', async (_, script, given, expected) => {
    const { complete, fail } = await work(makeRemote(), { agent: double(...argsOf(script)), ...given });
    const wanted = expected as { complete?: object; fail?: RegExp };
    if (wanted.complete) expect(complete).toMatchObject(wanted.complete);
    else expect(complete).toBeUndefined();
    if (wanted.fail) expect(fail).toMatchObject({ reason: expect.stringMatching(wanted.fail), retryable: true });
  });

  it('fails for good when the model refuses it, and when all tools were denied', async () => {
    const refused = await work(makeRemote(), { agent: double('refusal') });
    expect(refused.fail).toMatchObject({ reason: expect.stringMatching(/refused/), retryable: false });
    const denied = await work(makeRemote('acme/api'), { agent: double('commit', [], { deny }) });
    expect(denied.fail).toMatchObject({ reason: expect.stringMatching(/not allowed to use Shell/), retryable: false });
  });

  it('does not grow the runner when its agent prints 200 MB', async () => {
    const kept = await mostKeptBytes(async () => {
      const { complete, read } = await work(makeRemote(), { agent: double('flood', ['100']) });
      expect(complete).toMatchObject({ summary: expect.stringMatching(/hello.txt is written.$/) });
      expect(read('output.log').length).toBeLessThan(20e6);
    });
    expect(kept).toBeLessThan(150e6);
  });

  it('is not completed by an agent that hangs in its start', async () => {
    const { fail } = await work(makeRemote(), { agent: double('commit', ['--mute']), timeoutSeconds: 0.5 });
    expect(fail).toMatchObject({ reason: expect.stringMatching(/did not end within 0.5 s/), retryable: true });
  });
});

function argsOf(script: string): [string, string[]] {
  const [name = '', ...flags] = script.split(' ');
  return [name, flags];
}

describe('an agent that goes on', () => {
  it.each([
    ['in the same process', []],
    ['in a new one with the same session', ['--resume']],
    ['in a loaded session', ['--load']],
    ['in a new session, when the old one is lost', ['--resume', '--forgetful']],
  ])('mends what a check found, %s', async (_, flags) => {
    const url = makeRemote();
    const { complete, read } = await run('', [repositoryOf(url, { checks: [check] })], {
      agent: double('repair', flags),
    });
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('good');
    const [first, second] = read('prompts.txt').split('\n--\n');
    expect(first).toContain('# Work');
    expect(second).toContain('The check "tests" failed');
    expect(second?.includes('# Work')).toBe(flags.includes('--forgetful'));
  });
});

describe('an agent that asks a person', () => {
  it('with a form goes on in the same turn with the answer', async () => {
    const url = makeRemote();
    const said = answers({ content: { colour: 'blue' } });
    const { complete, bodies } = await work(url, { agent: double('elicitation') }, said);
    const colour = { type: 'string', oneOf: ['red', 'blue'].map((value) => ({ const: value, title: value })) };
    const form = { type: 'object', properties: { colour } };
    expect(bodies('inputs')).toMatchObject([{ kind: 'form', prompt: 'Which colour?', form }]);
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('blue');
  });

  it('with a form that the service does not take asks field by field', async () => {
    const url = makeRemote();
    const person = answers({ answer: 'blue' });
    const error = {
      code: 'invalid_input',
      message: 'kind is not one of the allowed values.',
      details: {},
      request_id: '',
    };
    const older = (call: Call) =>
      (call.body as { kind?: string } | undefined)?.kind === 'form' ? { error } : person(call);
    const { complete, bodies } = await work(url, { agent: double('elicitation') }, older);
    expect(bodies('inputs').slice(1)).toMatchObject([
      { kind: 'choice', prompt: 'Which colour?', options: ['red', 'blue'] },
    ]);
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('blue');
  });

  it('learns that there is no answer when the question expired', async () => {
    const { fail } = await work(makeRemote(), { agent: double('elicitation') }, answers({ expired: true }));
    expect(fail?.reason).toContain('I may not ask.');
  });

  it('in its last message gets the answer in another turn', async () => {
    const { read, bodies } = await work(
      makeRemote(),
      { agent: double('question', ['--resume']) },
      answers({ answer: 'the first' }),
    );
    expect(bodies('inputs')[0]).toMatchObject({ kind: 'question', prompt: 'Which of the two files do you mean?' });
    expect(read('prompts.txt').split('\n--\n')[1]).toBe(
      'You asked: Which of the two files do you mean?\nA person answered: the first',
    );
  });
});

describe('an agent whose question is not answered for long', () => {
  const later = (mayAnswer: (askedMs: number) => boolean, answer: string) => {
    let askedAt = Infinity;
    return ({ path, body }: Call): object => {
      if (path.endsWith('/inputs')) {
        askedAt = performance.now();
        const { kind, prompt } = body as { kind: string; prompt: string };
        return { expires_at: null, input: { id: 'inp_1', kind, prompt, blocking: true } };
      }
      if (askedAt === Infinity) return {};
      if (!mayAnswer(performance.now() - askedAt)) return { expires_at: null };
      return {
        directives: [{ id: 'dir_1', kind: 'answer', input_id: 'inp_1', content: { colour: answer } }],
        expires_at: at(60_000),
      };
    };
  };

  it.each([
    ['in the same session', ['--resume']],
    ['in the same session, loaded', ['--load']],
    ['in a new session', []],
  ])('ends, and goes on with the answer %s', async (_, flags) => {
    const url = makeRemote();
    const agent = double('elicitation', flags, { answerSeconds: 0.2 });
    const lines: string[] = [];
    const person = later(() => lines.includes(waits), 'blue');
    const { complete, read } = await work(url, { agent, lines }, person);
    expect(complete).toMatchObject({ summary: 'hello.txt is written.' });
    expect(helloIn(url)).toBe('blue');
    const [first = '', second = '', ...others] = read('prompts.txt').split('\n--\n');
    expect(first).toContain('# Work');
    expect(second).toMatch(/A person answered: colour: blue$/);
    expect(others).toEqual(['']);
    expect(second.includes('# Work')).toBe(flags.length === 0);
  });

  it('goes on at once when the answer comes while it ends', async () => {
    const url = makeRemote();
    const agent = double('elicitation', ['--resume'], { answerSeconds: 0.2 });
    const { complete } = await work(
      url,
      { agent },
      later((askedMs) => askedMs >= 190, 'red'),
    );
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('red');
  });
});

it('a session in which the agent ends when it is resumed is tried once, and then another one, which gets what was said', async () => {
  const url = makeRemote();
  const { complete, read } = await work(
    url,
    { agent: double('question', ['--resume', '--poisoned']) },
    answers({ answer: 'the first' }),
  );
  expect(complete).toBeDefined();
  expect(helloIn(url)).toBe('asked');
  const [, second = ''] = read('prompts.txt').split('\n--\n');
  expect(second).toMatch(/# Work[^]*Your last message was:\nWhich of the two files do you mean\?/);
  expect(second).toMatch(/A person answered: the first$/);
  expect(read('output.log')).toContain('cannot be continued');
});

describe('people and the service, while an agent works', () => {
  it.each([
    ['in a further prompt', []],
    ['at once, where the agent takes it', ['--steer']],
  ])('give it messages %s', async (_, flags) => {
    const url = makeRemote();
    let isReady = false;
    const directives = [{ id: 'dir_1', kind: 'message', content: 'Be quick.', author: 'usr_1', created_at: at(0) }];
    const { complete } = await work(url, { agent: double('message', flags) }, () => {
      isReady ||= existsSync(join(workspace(), taskId, 'work/web/ready'));
      return isReady ? { directives } : {};
    });
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('A-person-writes-Be-quick-');
  });

  it('see its plan as milestones, reported a few times', async () => {
    const { bodies } = await work(makeRemote(), { agent: double('plan') });
    const reports = bodies('progress') as { milestones: object[]; percent_complete: number }[];
    expect(reports.length).toBeLessThanOrEqual(2);
    expect(reports.at(-1)).toMatchObject({
      percent_complete: 100,
      milestones: [0, 1, 2].map((step) => ({ name: `Step ${step}`, completed: true })),
    });
  });

  it.each([
    ['hang', 'cut'],
    ['deaf', 'cut'],
    ['hang', 'lost'],
  ])('end it and what it started: %s, %s', async (script, how) => {
    const repository = repositoryOf(makeRemote());
    const project = { id: 'prj_1', name: 'Shop', repositories: [repository] };
    const file = join(workspace(), taskId, 'work/web/child.pid');
    let isLost = false;
    const {
      work: task,
      cut,
      bodies,
      lines,
    } = scene('', { agent: double(script), context: { project } }, () =>
      isLost ? { directives: [{ id: 'dir_9', kind: 'cancel', reason: 'Not needed.' }] } : {},
    );
    await eventually(() => existsSync(file));
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    if (how === 'cut') cut.abort();
    else isLost = true;
    await task.done;
    // It was killed, and needs a moment to end.
    await eventually(() => !isAlive(pid));
    expect(bodies('complete')).toEqual([]);
    expect(bodies('release')).toHaveLength(how === 'cut' ? 1 : 0);
    expect(lines.at(-1)).toMatch(how === 'cut' ? /release/ : /stopped: cancel/);
  });
});
