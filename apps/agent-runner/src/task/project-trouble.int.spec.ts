import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Call } from '../api/api.ts';
import { gitOf, useRemotes } from '../git/remote.fixture.ts';
import { at, repositoryOf, type Scene, taskId, useClaims } from './claim-scene.fixture.ts';

const { run, workspace } = useClaims();
const { makeRemote, commitTo, root } = useRemotes();
const branch = `task/${taskId}`;
const work = () => join(workspace(), taskId, 'work');
const check = (name: string, command: string, seconds = 60) => ({ name, command, timeout_seconds: seconds });
/** Runs the first command in the first turn, and the second one in all others. */
const turns = (first: string, later: string) =>
  `read -r line; printf '%s\\n' "$line" >> "$TASK_DIR/lines"; case "$line" in *'"run":1'*) ${first};; *) ${later};; esac`;
const subjects = (url: string) => gitOf(url, 'log', '--format=%s', `main..${branch}`).split('\n');

describe('work that is not done', () => {
  it('goes back to the agent with the output of the checks, and is pushed when they pass', async () => {
    const url = makeRemote();
    const checks = [check('lint', 'true'), check('tests', 'echo 2 tests, 1 red; grep -q good word')];
    const exec = turns('echo bad > word', 'echo good > word');
    const { complete, fail, read, artifacts } = await run(exec, [repositoryOf(url, { checks })]);
    expect([fail, complete]).toMatchObject([undefined, {}]);
    const [, second] = read('lines').trim().split('\n');
    const { feedback, run: count } = JSON.parse(second ?? '{}');
    expect(count).toBe(2);
    expect(feedback).toContain('The check "tests" failed with exit code 1. The last of its output:\n\n2 tests, 1 red');
    expect(feedback).not.toContain('lint');
    expect(subjects(url)).toHaveLength(2);
    expect(artifacts.map(({ title }) => title).at(-1)).toContain('2 of 2 checks passed');
  });

  it('fails after the maximum number of rounds, with its artifacts, and is not pushed', async () => {
    const url = makeRemote();
    const checks = [check('tests', 'echo always red; exit 1')];
    const { fail, kinds, read } = await run(turns('echo 1 > a', 'date +%s%N > b'), [repositoryOf(url, { checks })]);
    expect(fail).toEqual({ fencing_token: 1, reason: 'These checks failed: tests.\nalways red\n', retryable: true });
    expect(read('lines').trim().split('\n')).toHaveLength(3);
    expect(kinds).toEqual(['branch', 'commit', 'diff', 'test_report']);
    expect(gitOf(url, 'branch', '--list')).toBe('* main');
  });

  it('is a task without a change', async () => {
    const { fail, complete } = await run('echo Everything is written.', [repositoryOf(makeRemote())]);
    expect(complete).toBeUndefined();
    expect(fail).toMatchObject({ reason: 'The agent changed nothing.\nEverything is written.', retryable: true });
  });

  it('is a question at the end, which a person answers before the agent goes on', async () => {
    let isAsked = false;
    const answered = { id: 'dir_1', kind: 'answer', input_id: 'inp_1', answer: 'main', created_at: at(0) };
    const input = { id: 'inp_1', kind: 'question', prompt: 'Which one?', blocking: true };
    const onCall = ({ path }: Call) => {
      if (path.endsWith('/inputs')) isAsked = true;
      if (path.endsWith('/inputs')) return { expires_at: null, input };
      return isAsked ? { directives: [answered] } : {};
    };
    const exec = turns('echo Which one?', 'echo "$line" > a');
    const { bodies, complete, read } = await run(exec, [repositoryOf(makeRemote())], {}, onCall);
    expect(bodies('inputs')).toEqual([{ fencing_token: 1, kind: 'question', prompt: 'Which one?' }]);
    expect(complete).toBeDefined();
    expect(JSON.parse(read('work/web/a')).context.answers).toMatchObject([{ prompt: 'Which one?', answer: 'main' }]);
  });

  it.each([
    ['fails', 'exit 3', 'exit code 3'],
    ['kills its own process group', 'kill -9 0; sleep 60', 'ended by SIGKILL'],
  ])('stays in the worktree when the command %s, and the next attempt has it', async (_title, end, how) => {
    const url = makeRemote();
    const first = await run(`echo half > a; echo broken >&2; ${end}`, [repositoryOf(url)]);
    expect(first.fail).toMatchObject({ reason: `The command failed: ${how}.\nbroken`, retryable: true });
    expect(first.kinds).toEqual([]);
    const later = await run('grep half a; echo whole >> a', [repositoryOf(url)], {
      context: { attempt: 2, failures: 1 },
    });
    expect(later.complete).toBeDefined();
    expect(gitOf(url, 'show', `${branch}:a`)).toBe('half\nwhole');
  });

  it('lacks an artifact that the acceptance rules require', async () => {
    const given: Scene = { context: { contract: { artifacts: ['commit', 'link'] } } };
    const say = `echo "$SAY"' artifact {"kind":"link","url":"https://example.com"}'`;
    const url = makeRemote();
    const { complete, read } = await run(turns('echo 1 > a', say), [repositoryOf(url)], given);
    expect(read('lines')).toContain('These artifacts are required and missing: link.');
    expect(complete).toBeDefined();
  });

  it('needs no change where the acceptance rules ask for no code', async () => {
    const given: Scene = { context: { contract: { artifacts: ['file'] } } };
    const exec = `echo "$SAY"' artifact {"kind":"file","title":"Report"}'; echo No code.`;
    const { complete, kinds } = await run(exec, [repositoryOf(makeRemote())], given);
    expect(complete).toMatchObject({ summary: 'No code.' });
    expect(kinds).toEqual(['file']);
  });
});

describe('an agent that does not stay on its branch', () => {
  it.each([
    ['commits to the base branch', 'git checkout -q -B main origin/main; echo 1 > a; git add a; git commit -qm Mine'],
    ['leaves its work uncommitted on another branch', 'git checkout -q -b other; echo 1 > a'],
    [
      'commits to another branch and comes back',
      'git checkout -q -b other; echo 1 > a; git add a; git commit -qm Mine; git checkout -q -',
    ],
    ['is on no branch', 'git checkout -q --detach; echo 1 > a; git add a; git commit -qm Mine'],
    [
      'goes to the base branch at the end',
      'echo 1 > a; git add a; git commit -qm Mine; git checkout -q -B main origin/main',
    ],
    ['removes its branch', `git checkout -q -b other; git branch -qD ${branch}; echo 1 > a`],
    ['makes a repository of its own', 'rm .git; git init -q; echo 1 > a; git add a; git commit -qm Mine'],
    ['leaves a lock of git', 'echo 1 > a; touch "$(git rev-parse --git-dir)/index.lock"'],
    [
      'has a merge that only waits for its commit',
      'git checkout -q -b other; echo 1 > a; git add a; git commit -qm Mine; git checkout -q -; git merge -q --no-commit --no-ff other',
    ],
  ])('and %s has its work on the branch of the task all the same', async (_title, exec) => {
    const url = makeRemote();
    const base = gitOf(url, 'rev-parse', 'main');
    const { complete, fail } = await run(exec, [repositoryOf(url)]);
    expect([fail, complete]).toMatchObject([undefined, {}]);
    expect(gitOf(url, 'show', `${branch}:a`)).toBe('1');
    expect(gitOf(url, 'rev-parse', 'main')).toBe(base);
    expect(gitOf(url, 'branch', '--list', '--format=%(refname:short)').split('\n')).toEqual(['main', branch]);
    const [clone = ''] = readdirSync(join(workspace(), '.clones'));
    const left = gitOf(join(workspace(), '.clones', clone), 'for-each-ref', '--format=%(refname)', 'refs/heads');
    expect(left).toBe(`refs/heads/${branch}`);
  });

  it('and leaves conflicts is sent back, and has failed after all rounds', async () => {
    const url = makeRemote();
    const conflict = `git checkout -q -b other; echo theirs > a; git add a; git commit -qm Theirs; git checkout -q -;
      echo ours > a; git add a; git commit -qm Ours; git merge -q other; true`;
    const { fail } = await run(turns(conflict, 'true'), [repositoryOf(url)]);
    expect(fail).toMatchObject({ reason: expect.stringContaining('There are conflicts in a.'), retryable: true });
    expect(gitOf(url, 'branch', '--list')).toBe('* main');
  });
});

describe('what cannot be committed', () => {
  it.each([
    ['a file that is too large', 'truncate -s 2G model.bin', 'model.bin has 2.1 GB, more than the 1 MB'],
    [
      'a large file that the agent committed',
      'head -c 2000000 /dev/zero > a; git add a; git commit -qm Large',
      'a has 2 MB',
    ],
    [
      'a repository inside of the worktree',
      'git init -q sub; git -C sub commit -q --allow-empty -m One',
      'repositories of their own',
    ],
  ])('is %s', async (_title, exec, sentence) => {
    const url = makeRemote();
    const { fail } = await run(exec, [repositoryOf(url)], { settings: { maxRounds: 0 } });
    expect(fail).toMatchObject({ reason: expect.stringContaining(sentence), retryable: true });
    expect(gitOf(url, 'branch', '--list')).toBe('* main');
  });

  it('is what a hook of the repository refuses, whose output the agent gets', async () => {
    const setup = `printf '#!/bin/sh\\necho "no tabs, please" >&2; ! grep -q tab a\\n' > "$(git rev-parse --git-path hooks)/pre-commit"
      chmod +x "$(git rev-parse --git-path hooks)/pre-commit"`;
    const { complete, read } = await run(turns('echo tab > a', 'echo space > a'), [
      repositoryOf(makeRemote(), { setup }),
    ]);
    expect(read('lines')).toContain('The commit was refused:\\n\\nno tabs, please');
    expect(complete).toBeDefined();
  });
});

describe('a remote', () => {
  const hook = (url: string, name: string, script: string) => {
    writeFileSync(join(url, 'hooks', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(url, 'hooks', name), 0o755);
  };

  it('that refuses the push fails the task for good, with its words', async () => {
    const url = makeRemote();
    mkdirSync(join(url, 'hooks'), { recursive: true });
    hook(url, 'pre-receive', 'echo "Secrets found." >&2; exit 1');
    const { fail, kinds } = await run('echo 1 > a', [repositoryOf(url)]);
    expect(fail).toMatchObject({ reason: expect.stringContaining('Secrets found.'), retryable: false });
    expect(kinds).toEqual(['branch', 'commit', 'diff']);
  });

  it('that got other commits in the meantime keeps them: the task fails, and the next attempt has both', async () => {
    const url = makeRemote();
    const push = `git clone -q ${url} ../../other; cd ../../other; git checkout -q -b ${branch}; echo theirs > b; git add b; git commit -qm Theirs; git push -q origin ${branch}`;
    const first = await run(`echo 1 > a; (${push}) >/dev/null 2>&1`, [repositoryOf(url)]);
    expect(first.fail).toMatchObject({ reason: expect.stringContaining('has other commits'), retryable: true });
    expect(subjects(url)).toEqual(['Theirs']);
    const later = await run('test -f a && test -f b', [repositoryOf(url)], { context: { attempt: 2, failures: 1 } });
    expect(later.complete).toBeDefined();
    expect(subjects(url)).toContain('Theirs');
    expect(gitOf(url, 'show', `${branch}:a`)).toBe('1');
  });

  it.each([
    ['that is not there', () => join(root(), 'none.git'), 'does not appear to be a git repository', false],
    ['that cannot be reached', () => 'http://127.0.0.1:9/acme/web.git', 'git ls-remote failed', true],
    ['by a transport that runs programs', () => 'ext::sh -c "touch x"', 'must not name a transport helper', false],
    ['by an option of git', () => '--upload-pack=touch', 'must not have a part that starts with a hyphen', false],
  ])('%s is a failure with the reason', async (_title, url, sentence, retryable) => {
    const { fail, lines } = await run('echo 1 > a', [repositoryOf(url())]);
    expect(fail).toMatchObject({ reason: expect.stringContaining(sentence), retryable });
    expect(lines.join('\n')).not.toContain('the command ended');
  });

  it.each([
    [{ base_branch: 'gone' }, 'has no branch gone, the base branch of the project'],
    [{ base_branch: '--force' }, 'must not start with a hyphen'],
    [{ copy_files: ['../secret'] }, 'must not contain ..'],
    [{ setup: 'echo no network >&2; exit 7' }, 'The setup of web failed: exit code 7.\nno network'],
  ])('with %j is a failure with the reason', async (more, sentence) => {
    const { fail } = await run('echo 1 > a', [repositoryOf(makeRemote(), more)]);
    expect(fail).toMatchObject({ reason: expect.stringContaining(sentence) });
  });

  it('without any commit has no base branch', async () => {
    const url = join(root(), 'empty.git');
    gitOf(root(), 'init', '--quiet', '--bare', url);
    expect((await run('true', [repositoryOf(url)])).fail?.reason).toContain('has no branch main');
  });

  it('whose base branch moves on is compared with the commit where the branch began', async () => {
    const url = makeRemote();
    const first = await run('echo 1 > a; exit 1', [repositoryOf(url)]);
    expect(first.fail).toBeDefined();
    commitTo(url, { 'new.txt': 'of others' });
    const { artifacts } = await run('true', [repositoryOf(url)], { context: { attempt: 2, failures: 1 } });
    expect(artifacts[2]).toMatchObject({ kind: 'diff', data: { files_changed: 1, files: [{ path: 'a' }] } });
  });
});

describe('a worktree', () => {
  it('that vanished is made again with what was committed', async () => {
    const url = makeRemote();
    await run('echo 1 > a; git add a; git commit -qm One; rm -rf "$PWD"; exit 1', [repositoryOf(url)]);
    expect(existsSync(join(work(), 'web'))).toBe(false);
    const { complete } = await run('grep 1 a', [repositoryOf(url)], { context: { attempt: 2, failures: 1 } });
    expect(complete).toBeDefined();
  });

  it('of a clone that is gone or broken is made again, and the old files are kept aside', async () => {
    const url = makeRemote();
    await run('echo 1 > a; echo > "$(git rev-parse --git-common-dir)/HEAD"; exit 1', [repositoryOf(url)]);
    const { complete } = await run('test ! -e a && echo 2 > b', [repositoryOf(url)], {
      context: { attempt: 2, failures: 1 },
    });
    expect(complete).toBeDefined();
    expect(readdirSync(join(workspace(), taskId, 'set-aside'))).toHaveLength(1);
  });

  it('has its setup once, and again only if that did not come to its end', async () => {
    const url = makeRemote();
    const count = join(root(), 'count');
    const setup = `echo x >> ${count}; test "$(wc -l < ${count})" -ge 2`;
    const { fail } = await run('exit 1', [repositoryOf(url, { setup })]);
    expect(fail?.reason).toContain('The setup of web failed');
    for (const attempt of [2, 3]) await run('exit 1', [repositoryOf(url, { setup })], { context: { attempt } });
    expect(readFileSync(count, 'utf8')).toBe('x\nx\n');
  });

  it('does not let files be copied out of it through a link', async () => {
    const url = makeRemote();
    const outside = join(root(), 'outside');
    mkdirSync(outside);
    const folder = join(root(), 'seed');
    gitOf(root(), 'clone', '--quiet', url, folder);
    symlinkSync(outside, join(folder, 'conf'));
    gitOf(folder, 'add', '--all');
    gitOf(folder, 'commit', '--quiet', '--message', 'Link');
    gitOf(folder, 'push', '--quiet');
    mkdirSync(join(root(), 'files/acme/web/conf'), { recursive: true });
    writeFileSync(join(root(), 'files/acme/web/conf/key'), 'x');
    const { fail } = await run('true', [repositoryOf(url, { copy_files: ['conf/*'] })], {
      settings: { copyFrom: join(root(), 'files') },
    });
    expect(fail).toMatchObject({ reason: 'copy_files: conf is no folder of the worktree.', retryable: false });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('checks', () => {
  it('that commit or change branches do not change what is pushed', async () => {
    const url = makeRemote();
    const meddling =
      'echo x > b; git add b; git -c user.name=x -c user.email=x commit -qm Mine; git checkout -q --detach';
    const checks = [check('first', meddling), check('second', 'test ! -e b')];
    const { complete } = await run('echo 1 > a', [repositoryOf(url, { checks })]);
    expect(complete).toBeDefined();
    expect(subjects(url)).toEqual(['Work']);
  });

  it('that never end are stopped with all that they started, and change nothing', async () => {
    const url = makeRemote();
    const endless = 'echo left > left.txt; echo changed > a; sleep 300 & wait';
    const { fail } = await run('echo 1 > a', [repositoryOf(url, { checks: [check('slow', endless, 1)] })], {
      settings: { maxRounds: 0 },
    });
    expect(fail).toMatchObject({ reason: expect.stringContaining('These checks failed: slow.'), retryable: true });
    expect(readdirSync(join(work(), 'web')).sort()).toEqual(['.git', 'README.md', 'a']);
  });
});
