// `npm run test:upgrade [-- --seconds 60]`: processes of the last release and of this version side by side under load, first
// without faults, then each killed. Arguments are those of the bench.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findReleaseCommit, NoReleaseCommit } from './release-commit.ts';
import { commitsFile, lastRelease, repoFolder } from './releases.ts';

const faults = 'nothing,kill -9';
const say = (line: string): void => void process.stdout.write(`[upgrade] ${line}\n`);

class StepFailed extends Error {}

let running: ChildProcess | undefined;

/** Runs a command with its output shown, and returns what it printed. */
async function run(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (exitCode) => done(exitCode ?? 1));
  });
  running = undefined;
  return { code, output };
}

async function mustRun(file: string, args: readonly string[], cwd: string): Promise<void> {
  const { code } = await run(file, args, cwd);
  if (code !== 0) throw new StepFailed(`${[file, ...args].join(' ')} failed in ${cwd}.`);
}

/** Without a worktree: nothing of it is left in the repository, whatever ends this process. */
async function setUp(commit: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const archive = `${folder}.tar`;
  await mustRun('git', ['archive', `--output=${archive}`, commit], repoFolder);
  await mustRun('tar', ['-xf', archive], folder);
  // The script behind `npm run setup`, which not every release has in its package.json.
  await mustRun(process.execPath, ['tools/bootstrap.mjs', 'setup'], folder);
}

async function runScenario(checkout: string): Promise<{ passed: number; failed: number; skipped: number }> {
  const bench = [join(repoFolder, 'bench/main.ts'), '--backend', 'redis', '--only', 'failures'];
  const args = ['--disable-warning=ExperimentalWarning', ...bench, ...process.argv.slice(2)];
  const env = { FAILURES_OTHER_CHECKOUT: checkout, FAILURES_ONLY: faults };
  const { code, output } = await run(process.execPath, args, repoFolder, env);
  const [, passed = '0', failed = '0', skipped = '0'] =
    /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output) ?? [];
  return {
    passed: Number(passed),
    failed: Math.max(Number(failed), code === 0 && Number(passed) > 0 ? 0 : 1),
    skipped: Number(skipped),
  };
}

async function main(folder: string): Promise<number> {
  const version = lastRelease()?.version;
  if (version === undefined) throw new NoReleaseCommit('There is no release yet: npm run release:contract');
  const commits = existsSync(commitsFile)
    ? (JSON.parse(readFileSync(commitsFile, 'utf8')) as Record<string, string>)
    : {};
  const commit = findReleaseCommit(version, commits, repoFolder);
  const checkout = join(folder, `v${version}`);
  say(`v${version} is commit ${commit}; setting it up in ${checkout} ...`);
  const startedAt = performance.now();
  await setUp(commit, checkout);
  say(`set up in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const { passed, failed, skipped } = await runScenario(checkout);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed > 0 ? 1 : 0;
}

const folder = mkdtempSync(join(tmpdir(), 'eas-upgrade-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    const child = running;
    if (!child) process.exit(code);
    child.once('close', () => process.exit(code));
    child.kill(signal);
  });

try {
  process.exitCode = await main(folder);
} catch (error) {
  if (!(error instanceof NoReleaseCommit || error instanceof StepFailed)) throw error;
  say(error.message);
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exitCode = 1;
}
