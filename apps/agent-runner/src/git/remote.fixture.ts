import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

const identity = { GIT_AUTHOR_NAME: 'Pat', GIT_AUTHOR_EMAIL: 'pat@example.com' };
const env = {
  ...process.env,
  ...identity,
  GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
};

export const gitOf = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Bare repositories that others push to, in a folder that ends with the test. */
export function useRemotes() {
  let [root, template] = ['', ''];
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'template-'));
    template = join(folder, '.git');
    gitOf(folder, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(folder, 'README.md'), '# Web\n');
    gitOf(folder, 'add', '--all');
    gitOf(folder, 'commit', '--quiet', '--message', 'Begin');
    gitOf(folder, 'config', 'core.bare', 'true');
  });
  afterAll(() => rmSync(dirname(template), { recursive: true, force: true }));
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'remote-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Commits files to a branch of the remote, as a colleague does. */
  function commitTo(url: string, files: Record<string, string>, branch = 'main'): string {
    const folder = mkdtempSync(join(root, 'clone-'));
    gitOf(root, 'clone', '--quiet', url, folder);
    const isThere = gitOf(folder, 'branch', '--remotes', '--list', `origin/${branch}`) !== '';
    if (isThere) gitOf(folder, 'checkout', '--quiet', branch);
    else gitOf(folder, 'checkout', '--quiet', '-B', branch);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    gitOf(folder, 'add', '--all', '--force');
    gitOf(folder, 'commit', '--quiet', '--message', `Change ${Object.keys(files).join(', ')}`);
    gitOf(folder, 'push', '--quiet', 'origin', branch);
    return gitOf(folder, 'rev-parse', 'HEAD');
  }

  return {
    root: () => root,
    commitTo,
    /** A repository with one commit. Each of a test has a name of its own. */
    makeRemote(name = 'acme/web'): string {
      const url = join(root, `${name}.git`);
      cpSync(template, url, { recursive: true, force: false, errorOnExist: true });
      return url;
    },
  };
}
