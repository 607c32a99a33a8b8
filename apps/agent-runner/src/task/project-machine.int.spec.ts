import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { gitOf, useRemotes } from '../git/remote.fixture.ts';
import { repositoryOf, taskId, useClaims } from './claim-scene.fixture.ts';

const { run } = useClaims();
const { makeRemote, commitTo, root } = useRemotes();
const branch = `task/${taskId}`;
const filesOf = (url: string) => gitOf(url, 'ls-tree', '-r', '--name-only', branch).split('\n');

/** The environment of a machine whose user has this configuration of git. */
function userWith(configuration: string) {
  writeFileSync(join(root(), '.gitconfig'), configuration);
  return { settings: { env: { ...process.env, HOME: root() } } };
}

/** The environment of a machine on which calls of git that a pattern of the shell is for fail with a message. */
function failingGit(pattern: string, message: string) {
  mkdirSync(join(root(), 'bin'));
  const script = `#!/bin/sh
    case "$*" in ${pattern}) echo '${message}' >&2; exit 128;; esac
    PATH=$(printf %s "$PATH" | cut -d : -f 2-) exec git "$@"`;
  writeFileSync(join(root(), 'bin/git'), script, { mode: 0o755 });
  return { settings: { env: { ...process.env, PATH: `${join(root(), 'bin')}:${process.env['PATH']}` } } };
}

describe('a machine', () => {
  it.each([
    ['the worktree', '*"worktree add"*', 'error: unable to write file README.md: No space left on device'],
    ['the commit', '*"commit --quiet"*', 'fatal: write error: No space left on device'],
  ])('whose disk is full fails the attempt at %s, and the next one goes on', async (_title, pattern, message) => {
    const url = makeRemote();
    const { fail } = await run('echo 1 > a', [repositoryOf(url)], failingGit(pattern, message));
    expect(fail).toMatchObject({ reason: expect.stringContaining('No space left on device'), retryable: true });
    const later = await run('echo 2 > b', [repositoryOf(url)], { context: { attempt: 2, failures: 1 } });
    expect(later.complete).toBeDefined();
    expect(filesOf(url)).toContain('b');
  });

  it('that has no access to a repository fails the task for good, without asking for a password', async () => {
    const server = createServer((_, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme/web.git`;
    const { fail } = await run('echo 1 > a', [repositoryOf(url)]);
    expect(fail).toMatchObject({ reason: expect.stringContaining('git ls-remote failed'), retryable: false });
    server.close();
  });
});

describe('an agent', () => {
  it('that prints 1 GB works as any other, and a part of it is kept', async () => {
    const url = makeRemote();
    const line = '"$(head -c 1000 /dev/zero | tr "\\0" x)"';
    const { complete, read } = await run(`yes ${line} | head -c 1000000000; echo; echo 1 > a; echo Done.`, [
      repositoryOf(url),
    ]);
    expect(complete?.['summary']).toMatch(/^x+\n[^]*\nDone\.$/);
    expect(read('output.log').length).toBeLessThan(20_000_000);
  });
});

describe('a repository', () => {
  it('with a submodule keeps it as it is, whether the setup fetched it or not', async () => {
    const [web, lib] = [makeRemote(), makeRemote('acme/lib')];
    const folder = join(root(), 'mine');
    gitOf(root(), 'clone', '--quiet', web, folder);
    gitOf(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib');
    gitOf(folder, 'commit', '--quiet', '--message', 'Lib');
    gitOf(folder, 'push', '--quiet');
    const before = gitOf(web, 'ls-tree', 'main', 'lib');
    for (const setup of [
      null,
      'git -c protocol.file.allow=always submodule --quiet update --init; test -f lib/README.md',
    ]) {
      const { complete, artifacts } = await run('date +%N > a', [repositoryOf(web, { setup })]);
      expect(complete).toBeDefined();
      expect(artifacts[2]).toMatchObject({ kind: 'diff', data: { files_changed: 1 } });
      expect(gitOf(web, 'ls-tree', branch, 'lib')).toBe(before);
    }
  });

  const attributes = { '.gitattributes': '*.bin filter=lfs -text\n' };

  it('with LFS has the files that the filter of the machine makes, and commits what it makes of them', async () => {
    const url = makeRemote();
    commitTo(url, { ...attributes, 'old.bin': 'pointer\n' });
    const machine = userWith(
      '[filter "lfs"]\n\trequired = true\n\tclean = tr a-z A-Z\n\tsmudge = cat; echo smudged >&2\n',
    );
    const { complete } = await run('echo content > new.bin', [repositoryOf(url)], machine);
    expect(complete).toBeDefined();
    expect(gitOf(url, 'show', `${branch}:new.bin`)).toBe('CONTENT');
  });

  it('with LFS fails with the reason where the machine lacks the program that it is configured for', async () => {
    const url = makeRemote();
    commitTo(url, attributes);
    const machine = userWith('[filter "lfs"]\n\trequired = true\n\tclean = no-git-lfs clean\n');
    const { fail } = await run('echo content > new.bin', [repositoryOf(url)], machine);
    expect(fail).toMatchObject({ reason: expect.stringContaining('no-git-lfs'), retryable: true });
    expect(gitOf(url, 'branch', '--list')).toBe('* main');
  });
});
