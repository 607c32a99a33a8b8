// Repositories that tasks work on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const readme = { 'README.md': '# A repository\n' };

/** A bare repository with one commit of these files. */
export function makeRemote(path: string, files: Readonly<Record<string, string>> = readme): string {
  const git = (...args: string[]) => execFileSync('git', args, { stdio: 'pipe', env: { ...process.env, ...identity } });
  const seed = `${path}.seed`;
  mkdirSync(seed, { recursive: true });
  git('init', '--quiet', '--initial-branch=main', seed);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(seed, name), text);
  git('-C', seed, 'add', '--all');
  git('-C', seed, 'commit', '--quiet', '--message', 'Begin');
  git('clone', '--quiet', '--bare', seed, path);
  return path;
}

const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Pat'],
    [`GIT_${who}_EMAIL`, 'pat@example.com'],
  ]),
);

/** A file on the branch of the task; undefined where there is none. */
export function pushedFile(repository: string, taskId: string, file = 'hello.txt'): string | undefined {
  try {
    const args = ['-C', repository, 'show', `task/${taskId}:${file}`];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
