import { describe, expect, it } from '@jest/globals';
import { double } from '../../acp/double-agent.fixture.ts';
import type { Call } from '../../api/api.ts';
import { gitOf, useRemotes } from '../../git/remote.fixture.ts';
import { readDenyRule } from '../../presets/deny-rule.ts';
import { branch, helloIn, permits, useClaims, waits } from '../claim-scene.fixture.ts';

const { work } = useClaims();
const { makeRemote } = useRemotes();
const deny = [readDenyRule('execute:echo *')].filter((rule) => rule !== undefined);

describe('an agent that asks for permission', () => {
  const requests = (bodies: unknown[]) => bodies as { call_id: string; permission: object }[];

  it('may use its tool where the service allows it, without asking a person', async () => {
    const url = makeRemote();
    const { complete, bodies } = await work(url, { agent: double('commit') });
    expect(requests(bodies('permissions'))).toEqual([
      {
        fencing_token: 1,
        call_id: expect.any(String),
        permission: { tool: 'execute', name: 'Shell', title: 'echo hello > hello.txt', paths: ['hello.txt'] },
      },
    ]);
    expect(bodies('inputs')).toEqual([]);
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('hello');
  });

  it('goes on in the same turn when a person allows it, and asks again with the same call to learn so', async () => {
    const url = makeRemote();
    const { complete, bodies, read } = await work(url, { agent: double('commit') }, permits('allow'));
    const [asked, again, ...others] = requests(bodies('permissions'));
    expect(again).toEqual(asked);
    expect(others).toEqual([]);
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('hello');
    expect(read('output.log')).toMatch(/\[question\] May I use Shell\? echo hello[^]*\[permission\] allowed: Shell/);
  });

  it('does without its tool when a person rejects it, or a policy', async () => {
    const rejected = await work(makeRemote(), { agent: double('commit') }, permits('reject'));
    expect(rejected.fail).toMatchObject({
      reason: expect.stringMatching(/not allowed to use Shell/),
      retryable: false,
    });
    const denied = await work(makeRemote('acme/api'), { agent: double('commit') }, ({ path }) =>
      path.endsWith('/permissions') ? { decision: 'reject', reason: 'A policy denies this.' } : {},
    );
    expect(denied.fail).toMatchObject({ reason: expect.stringMatching(/not allowed to use Shell/), retryable: false });
  });

  it('is not asked about by the service where a rule of the runner denies it', async () => {
    const { fail, bodies } = await work(makeRemote(), { agent: double('commit', [], { deny }) }, permits('allow'));
    expect(bodies('permissions')).toEqual([]);
    expect(fail).toBeDefined();
  });

  it('may use its tool where the service is older than permissions', async () => {
    const url = makeRemote();
    const error = { code: 'not_found', message: 'The resource does not exist.', details: {}, request_id: '' };
    const { complete } = await work(url, { agent: double('commit') }, ({ path }) =>
      path.endsWith('/permissions') ? { error } : {},
    );
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('hello');
  });

  it('asks without the paths of files where the service is older than these', async () => {
    const error = { code: 'invalid_input', message: 'paths is not known.', details: {}, request_id: '' };
    const older = (call: Call) =>
      'paths' in ((call.body as { permission?: object } | undefined)?.permission ?? {}) ? { error } : {};
    const { complete, bodies } = await work(makeRemote(), { agent: double('commit') }, older);
    const [asked, again, ...others] = requests(bodies('permissions'));
    const { paths: _paths, ...permission } = asked?.permission as { paths: unknown };
    expect(again).toEqual({ ...asked, permission });
    expect(others).toEqual([]);
    expect(complete).toBeDefined();
  });

  it('receives the comment of the person', async () => {
    const url = makeRemote();
    const person = permits('allow', { comment: 'Be quick.' });
    const { complete } = await work(url, { agent: double('received') }, person);
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('A-person-writes-Be-quick-');
  });

  it('for two tools at once asks for one after the other', async () => {
    const url = makeRemote();
    const person = permits('allow', { afterMs: 100 });
    const verbs: string[] = [];
    const { complete } = await work(url, { agent: double('both') }, (call) => {
      const response = person(call) as { decision?: string };
      if (response.decision) verbs.push(response.decision);
      return response;
    });
    expect(complete).toBeDefined();
    expect(verbs).toEqual(['ask', 'allow', 'allow', 'allow']);
    expect(gitOf(url, 'show', `${branch}:two.txt`)).toBe('two');
  });

  it.each([
    ['in the same session', ['--resume']],
    ['in a new session', []],
  ])('ends when it is not answered for long, and gets the answer with its next call, %s', async (_, flags) => {
    const url = makeRemote();
    const agent = double('commit', flags, { answerSeconds: 0.2 });
    const lines: string[] = [];
    const person = permits('allow', { mayAnswer: () => lines.includes(waits) });
    const { complete, bodies, read } = await work(url, { agent, lines }, person);
    expect(complete).toBeDefined();
    expect(helloIn(url)).toBe('hello');
    const [before, after, ...others] = requests(bodies('permissions'));
    expect(after?.permission).toEqual(before?.permission);
    expect(after?.call_id).not.toBe(before?.call_id);
    expect(others).toEqual([]);
    expect(read('prompts.txt').split('\n--\n')[1]).toMatch(/A person answered: You may do this: do it now\.$/);
  });
});
