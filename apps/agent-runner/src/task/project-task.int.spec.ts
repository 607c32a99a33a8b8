import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { gitOf, useRemotes } from '../git/remote.fixture.ts';
import { repositoryOf, taskId, useClaims } from './claim-scene.fixture.ts';

const { run, workspace } = useClaims();
const { makeRemote, commitTo, root } = useRemotes();
const branch = `task/${taskId}`;

const filesOf = (url: string, ref = branch) => gitOf(url, 'ls-tree', '-r', '--name-only', ref).split('\n');

describe('the work on a project', () => {
  it('is a commit of the agent on the branch of the task, checked, pushed and described', async () => {
    const url = makeRemote();
    const checks = [{ name: 'tests', command: 'test -f hello.txt && echo all good', timeout_seconds: 60 }];
    const { complete, artifacts, fail } = await run('echo hello > hello.txt; echo Done.', [
      repositoryOf(url, { checks }),
    ]);
    expect([fail, complete]).toMatchObject([undefined, { summary: 'Done.' }]);
    expect(filesOf(url)).toEqual(['README.md', 'hello.txt']);
    expect(filesOf(url, 'main')).toEqual(['README.md']);
    expect(gitOf(url, 'log', '-1', '--format=%an <%ae> %cn%n%B', branch)).toBe(
      'Ada <agt_1@noreply.invalid> Ada\nWork\n\nTask-Id: tsk_1\nTask-Attempt: 1',
    );
    const head = gitOf(url, 'rev-parse', branch);
    expect(artifacts).toMatchObject([
      { kind: 'branch', sha: head, data: { repository: url, branch, base_branch: 'main', pushed: true, commits: 1 } },
      { kind: 'commit', sha: head },
      { kind: 'diff', sha: head, data: { files_changed: 1, insertions: 1, deletions: 0 } },
      { kind: 'test_report', data: { checks: [{ name: 'tests', passed: true, exit_code: 0, tail: 'all good\n' }] } },
    ]);
    expect(artifacts[2]?.content).toContain('+hello');
  });

  it('begins in a worktree on the branch, which the first line names', async () => {
    const url = makeRemote();
    const { read } = await run(
      'read -r first; printf %s "$first" > first.json; git status --short --branch > status.txt',
      [repositoryOf(url)],
    );
    const path = join(workspace(), taskId, 'work/web');
    expect(JSON.parse(read('work/web/first.json')).repositories).toEqual([
      { name: 'web', url, path, branch, base_branch: 'main' },
    ]);
    expect(read('work/web/status.txt')).toContain(`## ${branch}`);
  });

  it('keeps the commits that the agent made, and is of the agent although it has no name of its own', async () => {
    const url = makeRemote();
    const exec = 'echo 1 > a; git add a; git commit -qm "One"; echo 2 > b';
    await run(exec, [repositoryOf(url)], { settings: { env: { ...process.env, HOME: root() } } });
    expect(gitOf(url, 'log', '--format=%s %an', `main..${branch}`)).toBe('Work Ada\nOne Ada');
  });

  it('covers several repositories, below one folder', async () => {
    const [web, api] = [makeRemote('acme/web'), makeRemote('acme/api')];
    const checks = [{ name: 'tests', command: 'cat *.txt', timeout_seconds: 60 }];
    const exec = 'echo 1 > web/one.txt; echo 2 > api/two.txt';
    const { kinds, complete } = await run(exec, [repositoryOf(web, { checks }), repositoryOf(api, { checks })]);
    expect(complete).toBeDefined();
    expect([filesOf(web), filesOf(api)]).toEqual([
      ['README.md', 'one.txt'],
      ['README.md', 'two.txt'],
    ]);
    expect(kinds).toEqual(['branch', 'commit', 'diff', 'test_report', 'branch', 'commit', 'diff', 'test_report']);
  });

  it('leaves a repository alone that nothing is changed in', async () => {
    const [web, api] = [makeRemote('acme/web'), makeRemote('acme/api')];
    const { complete, kinds } = await run('echo 1 > web/one.txt', [repositoryOf(web), repositoryOf(api)]);
    expect(complete).toBeDefined();
    expect(kinds).toEqual(['branch', 'commit', 'diff']);
    expect(gitOf(api, 'branch', '--list')).toBe('* main');
  });

  it('is in the repository alone that the task names', async () => {
    const [web, api] = [makeRemote('acme/web'), makeRemote('acme/api')];
    const { complete, read } = await run('echo 1 > one.txt', [
      repositoryOf(web, { is_named: true }),
      repositoryOf(api),
    ]);
    expect(complete).toBeDefined();
    expect(read('work/web/one.txt')).toBe('1\n');
    expect(readdirSync(join(workspace(), '.clones'))).toHaveLength(1);
  });

  it('has a patch that git applies, of binary files too, and none that is too large', async () => {
    const url = makeRemote();
    const small = await run('printf "a\\0b" > logo.png; printf "caf\\303\\251\\n" > text', [repositoryOf(url)]);
    const folder = join(root(), 'applied');
    gitOf(root(), 'clone', '--quiet', url, folder);
    execFileSync('git', ['-C', folder, 'apply'], { input: small.artifacts[2]?.content });
    expect(readFileSync(join(folder, 'logo.png'))).toEqual(Buffer.from('a\0b'));
    expect(readFileSync(join(folder, 'text'), 'utf8')).toBe('café\n');
    const lines = 'seq 1 400000 > numbers.txt';
    const large = await run(lines, [repositoryOf(url)], { settings: { maxFileBytes: 1e8 } });
    expect(large.artifacts[2]).toMatchObject({ kind: 'diff', data: { files_changed: 3, insertions: 400_001 } });
    expect(large.artifacts[2]).not.toHaveProperty('content');
  });

  it('begins with files that the repository does not have, which are never committed', async () => {
    const url = makeRemote();
    commitTo(url, { 'conf/a.json': 'of the repository' });
    const files = join(root(), 'files/acme/web');
    mkdirSync(files, { recursive: true });
    writeFileSync(join(files, '.env'), 'SECRET=1');
    mkdirSync(join(files, 'conf'));
    writeFileSync(join(files, 'conf/a.json'), 'of the machine');
    const setup = 'test "$(cat .env)" = SECRET=1 && echo ready > setup.txt';
    const repository = repositoryOf(url, { copy_files: ['.env', 'conf/*', 'none*'], setup });
    const { complete, lines } = await run('cat .env; git add -A; echo 1 > one.txt', [repository], {
      settings: { copyFrom: join(root(), 'files') },
    });
    expect(complete).toBeDefined();
    expect(filesOf(url)).toEqual(['README.md', 'conf/a.json', 'one.txt', 'setup.txt']);
    expect(gitOf(url, 'show', `${branch}:conf/a.json`)).toBe('of the repository');
    expect(lines.join('\n')).toContain('no file to copy for none*');
  });

  it('goes on where an earlier attempt on this machine or another one ended', async () => {
    const url = makeRemote();
    commitTo(url, { 'earlier.txt': '1' }, branch);
    const { complete } = await run('test -f earlier.txt && echo 2 > later.txt', [repositoryOf(url)]);
    expect(complete).toBeDefined();
    expect(filesOf(url)).toEqual(['README.md', 'earlier.txt', 'later.txt']);
    expect(gitOf(url, 'rev-list', '--count', `main..${branch}`)).toBe('2');
  });

  it('is not pushed when that is not wanted', async () => {
    const url = makeRemote();
    const { complete, artifacts } = await run('echo 1 > one', [repositoryOf(url)], { settings: { pushes: false } });
    expect(complete).toBeDefined();
    expect(artifacts[0]).toMatchObject({
      kind: 'branch',
      title: expect.stringMatching(/, not pushed$/),
      data: { pushed: false },
    });
    expect(gitOf(url, 'branch', '--list')).toBe('* main');
  });
});
