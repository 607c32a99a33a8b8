// Machines with simulated coding agents, and repositories for their work.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const runner = resolve(import.meta.dirname, '../../agent-runner/src');
/** The simulated agent of the runner's own tests. */
const double = (flags: string) => `exec ${process.execPath} ${join(runner, 'acp/double.fixture.ts')} commit ${flags}`;

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Pat', '-c', 'user.email=pat@example.com', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

export type InstalledAgents = {
  path: string;
  /** They wait at their start, until the returned function is called. */
  hold: () => () => void;
  remove: () => void;
};

/** A folder with the program `gemini`, which works, and `qwen`, which is not logged in. */
export function installAgents(): InstalledAgents {
  const folder = mkdtempSync(join(tmpdir(), 'coding-agents-'));
  const held = join(folder, 'held');
  for (const [name, flags] of [
    ['gemini', ''],
    ['qwen', '--login'],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\nwhile [ -e ${held} ]; do sleep 0.1; done\n${double(flags)}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    path: `${folder}:${process.env['PATH']}`,
    hold() {
      writeFileSync(held, '');
      return () => rmSync(held, { force: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A machine without this repository, as far as a pasted command can see. */
export function anotherMachine() {
  const { path, remove } = installAgents();
  const home = mkdtempSync(join(tmpdir(), 'another-machine-'));
  return {
    /** Runs the line in a shell. Returns a function that ends it. */
    paste(line: string): () => Promise<void> {
      const eas = `exec ${process.execPath} --disable-warning=ExperimentalWarning ${join(runner, 'main.ts')}`;
      const command = line.replace('npx --yes @engineering-agent-service/eas', eas);
      const env = { PATH: path, HOME: home };
      const shell = spawn('sh', ['-c', command], { cwd: home, env, stdio: 'ignore', detached: true });
      const ended = new Promise((done) => shell.once('close', done));
      return async () => {
        if (shell.pid) process.kill(-shell.pid, 'SIGTERM');
        await ended;
      };
    },
    remove() {
      remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A repository with one commit, which others push to. */
export function makeRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'repository-'));
  const [url, work] = [join(folder, 'shop.git'), join(folder, 'work')];
  mkdirSync(work);
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', url);
  git(work, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'README.md'), '# Shop\n');
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message', 'Begin');
  git(work, 'push', '--quiet', url, 'main');
  return {
    url,
    git: (...args: string[]) => git(url, ...args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The process whose command line has this text. */
export function processOf(text: string): number | undefined {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args=', '-ww'], { encoding: 'utf8' }).split('\n');
  const line = lines.find((one) => one.includes(text));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}
