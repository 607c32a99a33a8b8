import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { double } from '../acp/double-agent.fixture.ts';
import { tryLock } from '../git/lock.ts';
import { gitOf, useRemotes } from '../git/remote.fixture.ts';
import { repositoryOf, type Scene, taskId, useClaims } from './claim-scene.fixture.ts';

const { run, scene, workspace } = useClaims();
const { makeRemote } = useRemotes();
const work = (profile: Scene['profile'], flags: readonly string[] = [], given: Scene = {}) =>
  run('', [repositoryOf(makeRemote())], { agent: double('commit', flags), profile, ...given });
const skill = {
  name: 'notes',
  files: [
    { path: 'SKILL.md', content: '---\ndescription: How we write notes.\n---\nIn one line.' },
    { path: 'more/style.md', content: 'Short.' },
  ],
};

describe('a task whose agent has a profile', () => {
  it('begins with its instructions and skills, none of which is committed', async () => {
    const url = makeRemote();
    const { complete, read } = await run('', [repositoryOf(url)], {
      agent: double('commit'),
      profile: { instructions: 'Write the test first.', skills: [skill] },
    });
    expect(complete).toBeDefined();
    const file = join(workspace(), taskId, 'skills/notes/SKILL.md');
    const [prompt = ''] = read('prompts.txt').split('\n--\n');
    expect(prompt).toMatch(/How your team works:\n\nWrite the test first\.[^]*# Work/);
    expect(prompt).toContain(`- notes (${file}): How we write notes.`);
    expect(read('skills/notes/more/style.md')).toBe('Short.');
    expect(gitOf(url, 'diff', '--name-only', 'main', `task/${taskId}`)).toBe('hello.txt');
  });

  it('gives its MCP servers to the session, with variables of the runner, but those that the agent cannot reach', async () => {
    const { read } = await work(
      {
        mcp_servers: [
          {
            type: 'http',
            name: 'issues',
            url: 'http://127.0.0.1:1/',
            headers: { Authorization: 'Bearer ${MCP_TOKEN}' },
          },
          { type: 'sse', name: 'old', url: 'http://127.0.0.1:1/', headers: {} },
          { type: 'stdio', name: 'docs', command: 'docs-mcp', args: ['--for', '$HOME'], env: { LEVEL: '1' } },
        ],
      },
      [],
      { settings: { serverEnv: { MCP_TOKEN: 'of-the-runner' } } },
    );
    expect(JSON.parse(read('double.json')).mcpServers).toEqual([
      {
        type: 'http',
        name: 'issues',
        url: 'http://127.0.0.1:1/',
        headers: [{ name: 'Authorization', value: 'Bearer of-the-runner' }],
      },
      { name: 'docs', command: 'docs-mcp', args: ['--for', '$HOME'], env: [{ name: 'LEVEL', value: '1' }] },
    ]);
    expect(read('output.log')).toContain('cannot reach the MCP server old');
  });

  it.each([
    ['as options', ['--options'], { model: 'Large-1', effort: 'HIGH' }, ['large-1', 'high']],
    ['as models', ['--models'], { model: 'small' }, ['small-1']],
  ])('sets the model and the effort that the agent offers %s', async (_, flags, profile, values) => {
    const { complete, read } = await work(profile, flags);
    expect(complete).toBeDefined();
    const chosen = read('chosen.txt').trim().split('\n');
    expect(chosen.map((line) => JSON.parse(line).value ?? JSON.parse(line).modelId)).toEqual(values);
  });

  it.each([
    [
      { model: 'huge-9' },
      ['--options'],
      /wants the model "huge-9", which the agent does not offer\. It offers small-1/,
    ],
    [{ effort: 'high' }, ['--models'], /wants the effort "high", .* It offers none to choose from/],
  ])('is not worked on with another model or effort than that of the profile: %j', async (profile, flags, reason) => {
    const { complete, fail } = await work(profile, flags);
    expect(complete).toBeUndefined();
    expect(fail).toMatchObject({ reason: expect.stringMatching(reason), retryable: false });
  });

  it('fails with the name of a variable that the runner has not', async () => {
    const server = { type: 'stdio' as const, name: 'a', command: 'a', args: ['${MCP_MISSING_1}'], env: {} };
    const { fail } = await work({ mcp_servers: [server] });
    expect(fail).toMatchObject({ reason: expect.stringContaining('MCP_MISSING_1'), retryable: false });
  });

  it('is checked by the profile, next to the checks of the repository, of which one keeps its name', async () => {
    const checkOf = (name: string, command: string) => ({ name, command, timeout_seconds: 60 });
    const { artifacts } = await run('', [repositoryOf(makeRemote(), { checks: [checkOf('tests', 'true')] })], {
      agent: double('commit'),
      profile: { checks: [checkOf('lint', 'echo linted'), checkOf('tests', 'false')] },
    });
    const report = artifacts.find(({ kind }) => kind === 'test_report');
    expect(report?.data['checks']).toMatchObject([
      { name: 'tests', passed: true },
      { name: 'lint', passed: true, tail: 'linted\n' },
    ]);
  });

  it.each([
    ['a command', undefined],
    ['a coding agent', double('plan')],
  ])('is checked in its folder where it has no repository: %s is sent back, and then fails', async (_, agent) => {
    const checks = [{ name: 'there', command: 'echo >> ran; test -e result.txt', timeout_seconds: 60 }];
    const { work: task, bodies, read } = scene('true', { profile: { checks }, ...(agent ? { agent } : {}) });
    await task.done;
    expect(bodies('complete')).toEqual([]);
    expect(bodies('fail')).toMatchObject([{ reason: expect.stringMatching(/^These checks failed: there\./) }]);
    expect(read('work/ran')).toBe('\n\n\n');
  });

  it('completes without a repository once the checks of the profile pass', async () => {
    const checks = [{ name: 'there', command: 'test -e result.txt', timeout_seconds: 60 }];
    const exec = '[ -e tried ] && touch result.txt; touch tried';
    const { work: task, bodies } = scene(exec, { profile: { checks } });
    await task.done;
    expect([bodies('complete').length, bodies('fail')]).toEqual([1, []]);
  });

  it('keeps the skills of the runner that still has its folder', async () => {
    const folder = join(workspace(), taskId);
    mkdirSync(join(folder, 'skills'), { recursive: true });
    writeFileSync(join(folder, 'skills/in-use.md'), '');
    const release = await tryLock(join(folder, 'lock'));
    const { fail } = await work({ skills: [skill] });
    await release?.();
    expect(fail).toMatchObject({ reason: expect.stringMatching(/^Another runner on this machine/), retryable: true });
    expect(readdirSync(join(folder, 'skills'))).toEqual(['in-use.md']);
  });

  it('is given to a command as a part of its task, whose session names it', async () => {
    const {
      work: task,
      read,
      bodies,
    } = scene('read -r first; printf %s "$first" > first.json', {
      profile: { instructions: 'Be brief.', model: 'small-1', skills: [skill] },
    });
    await task.done;
    expect(JSON.parse(read('work/first.json')).profile).toEqual({
      id: 'prf_1',
      name: 'Backend',
      version: 3,
      instructions: 'Be brief.',
      model: 'small-1',
      effort: null,
      skills: [expect.objectContaining({ name: 'notes', description: 'How we write notes.' })],
    });
    const entries = (bodies('session/entries') as { entries: object[] }[]).flatMap((body) => body.entries);
    expect(entries).toContainEqual({ kind: 'notice', text: 'profile Backend, version 3' });
  });

  it('whose skills are gone leaves none of an earlier attempt', async () => {
    await scene('true', { profile: { skills: [skill] } }).work.done;
    expect(readdirSync(join(workspace(), taskId))).toContain('skills');
    await scene('true', {}).work.done;
    expect(readdirSync(join(workspace(), taskId))).not.toContain('skills');
  });
});
