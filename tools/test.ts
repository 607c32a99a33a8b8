// `npm test`: unit tests, then integration and end-to-end tests on the Postgres queue, then those that use queues on Redis.
// Usage: test [--kind unit|int|e2e|release[,...]] [--backend postgres|redis[,...]] [patterns and options of Jest]
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { contractTools, installPackages } from './install-packages.ts';
import { findMemoryFolder } from './npm-test/memory-folder.ts';
import {
  failuresOf,
  leftToRedis,
  mayMatch,
  parseTestArgs,
  passedOnRepetition,
  redisSuitesOf,
  roundsOf,
  sumOf,
  type Counts,
  type JestReport,
  type Kind,
} from './npm-test/test-plan.ts';
import { descendantsOf, endProcesses } from '@eas/testing/process-tree';
import { findOnPath, isCi } from '@eas/testing/programs';
import { respondsToPing, startRedisServer, type RedisServer } from '@eas/testing/redis-server';

const root = resolve(import.meta.dirname, '..');
const say = (line: string): void => void process.stdout.write(`[test] ${line}\n`);
/** In CI the same random values each time, as decision 202 says. */
const seed = process.env.TEST_SEED ?? (isCi ? '1' : String(randomInt(2 ** 31)));
/** Of all that the run writes: databases, profiles of browsers, reports. */
const folder = mkdtempSync(join(process.env['TMPDIR'] ?? findMemoryFolder() ?? tmpdir(), 'eas-test-'));
// A run that is started as root has servers in it that run as another user.
chmodSync(folder, 0o1777);
process.env['TMPDIR'] = folder;
let running: ChildProcess | undefined;
let interrupted: NodeJS.Signals | undefined;
/** What suites had started when the run was interrupted: Jest ends at once and leaves it behind. */
let started: number[] = [];

const jest = ['--disable-warning=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js')];

/** Tests that failed and passed when they were repeated with the same random values. */
const unsteady: string[] = [];

/** Ends with what Jest counted, or with one failure if Jest died without a report. Files that failed are repeated. */
async function runSuites(title: string, kinds: Kind[], env: NodeJS.ProcessEnv, jestArgs: string[]): Promise<Counts> {
  say(`${title} ...`);
  const startedAt = Date.now();
  const { report, code } = await runJest(title, kinds, env, jestArgs);
  const counts = report ? sumOf(report, code) : { passed: 0, failed: 1, skipped: 0 };
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  say(`${title}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s`);
  const files = report ? [...failuresOf(report).keys()] : [];
  if (!report || files.length === 0 || interrupted) return counts;
  say(`repeating ${files.length} files with failures ...`);
  const repeated = await runJest(`${title} repeated`, kinds, env, ['--runTestsByPath', ...files]);
  if (repeated.report) unsteady.push(...passedOnRepetition(report, repeated.report));
  return counts;
}

type JestRun = { report: JestReport | undefined; code: number };

async function runJest(title: string, kinds: Kind[], env: NodeJS.ProcessEnv, jestArgs: string[]): Promise<JestRun> {
  const outputFile = join(folder, `${title.replaceAll(/\W+/g, '-')}.json`);
  const options = ['--json', `--outputFile=${outputFile}`, '--passWithNoTests'];
  const child = spawn(process.execPath, [...jest, '--selectProjects', ...kinds, ...options, ...jestArgs], {
    cwd: root,
    env: { ...process.env, TEST_SEED: seed, ...withoutQueue, ...env },
    stdio: 'inherit', // with --outputFile the JSON stays off stdout
  });
  running = child;
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (exitCode, signal) => done(signal ? 1 : (exitCode ?? 1)));
  });
  running = undefined;
  const report = existsSync(outputFile) ? (JSON.parse(readFileSync(outputFile, 'utf8')) as JestReport) : undefined;
  return { report, code };
}

/** A developer's own settings must not affect the queue of the run. */
const withoutQueue = { REDIS_URL: undefined, TEST_QUEUE_BACKEND: undefined, TEST_REDIS_URL: undefined };

/** Each worker loads what the others have loaded: for some suites a worker more than there are cores is enough. */
const fewWorkers = (jestArgs: readonly string[]): string[] =>
  jestArgs.length > 0 ? [`--maxWorkers=${availableParallelism() + 1}`] : [];

const filter = `--filter=${join(root, 'tools/npm-test/chosen-files.cjs')}`;

/** Of the suites whose imports lead to the queue back end, by Jest's own map of imports, those that this run repeats. */
function suitesWithQueues(kinds: Kind[]): string[] {
  const related = ['--listTests', '--findRelatedTests', 'libs/shared/testing/src/queue-back-end.ts'];
  const listed = spawnSync(process.execPath, [...jest, '--selectProjects', ...kinds, ...related], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.stdout.split('\n').filter((line) => line.endsWith('.spec.ts'));
  if (listed.status !== 0 || files.length === 0) {
    throw new Error(`The suites that use queues could not be listed: ${listed.stderr.trim()}`);
  }
  if (process.env['TEST_FORM'] === 'long') return files;
  const chosen = new Set(redisSuitesOf(files.map((file) => relative(root, file))));
  return files.filter((file) => chosen.has(relative(root, file)));
}

/** The given Redis, one of our own, or undefined if none is available. */
async function openRedis(): Promise<(RedisServer | { url: string; stop: () => Promise<void> }) | undefined> {
  const given = process.env.REDIS_URL;
  if (given) {
    const { hostname, port } = new URL(given.split(',')[0] ?? given);
    if (
      !(await respondsToPing(hostname.replaceAll(/[[\]]/g, ''), Number(port || 6379), 3000)) &&
      !given.startsWith('rediss:')
    ) {
      throw new Error(`REDIS_URL is set, but nothing responds at ${hostname}:${port || 6379}.`);
    }
    say(`Redis: REDIS_URL`);
    return { url: given, stop: () => Promise.resolve() };
  }
  const executable = findOnPath('redis-server');
  if (!executable) return undefined;
  const server = await startRedisServer(executable);
  say(`Redis: ${executable} started at ${server.url}`);
  return server;
}

async function runOnRedis(kinds: Kind[], jestArgs: string[]): Promise<Counts> {
  const redis = await openRedis();
  if (!redis) {
    const line = 'no REDIS_URL and no redis-server on PATH: THE REDIS SUITES WERE NOT RUN';
    const bar = '!'.repeat(line.length + 8);
    process.stdout.write(`${bar}\n!!! ${line} !!!\n${bar}\n`);
    return { passed: 0, failed: isCi ? 1 : 0, skipped: suitesWithQueues(kinds).length };
  }
  try {
    const suites = suitesWithQueues(kinds);
    const env = { TEST_QUEUE_BACKEND: 'redis', TEST_REDIS_URL: redis.url, TEST_ONLY: suites.join('\n') };
    const title = `${kinds.join(' and ')} tests that use queues on the Redis queue`;
    return await runSuites(title, kinds, env, [filter, ...jestArgs]);
  } finally {
    await redis.stop();
  }
}

/** In CI the suites of the gateway run once, behind a proxy that holds each response to the document. */
async function proxySettings(kinds: readonly Kind[]): Promise<NodeJS.ProcessEnv> {
  if (!isCi || !kinds.includes('e2e')) return {};
  await installPackages(contractTools, say);
  return { CONTRACT_PROXY: contractTools.folder };
}

/** Of the repository, those that may run on Redis. */
function specFiles(): string[] {
  const files = globSync('{apps,deploy,libs,tools}/**/*.spec.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  return process.env['TEST_FORM'] === 'long' ? files : redisSuitesOf(files);
}

async function main(): Promise<number> {
  const plan = parseTestArgs(process.argv.slice(2));
  const { kinds, backends, jestArgs } = plan;
  const proxy = await proxySettings(kinds);
  const all: Counts[] = [];
  const left = leftToRedis(plan).map((beginning) => join(root, beginning));
  const env = { ...proxy, TEST_ONLY: undefined, TEST_EXCEPT: left.join('\n') };
  const options = [...fewWorkers(jestArgs), filter, ...jestArgs];
  for (const round of roundsOf(plan)) {
    if (interrupted) break;
    const where = round.every((kind) => kind === 'unit') ? '' : ' on the Postgres queue';
    all.push(await runSuites(`${round.join(' and ')} tests${where}`, round, env, options));
  }
  const withQueue = kinds.filter((kind) => kind !== 'unit');
  if (withQueue.length > 0 && backends.includes('redis') && mayMatch(jestArgs, specFiles()) && !interrupted) {
    all.push(await runOnRedis(withQueue, jestArgs));
  }
  if (interrupted) return 130;
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of all) {
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  if (total.passed + total.failed === 0) say('no test was run');
  for (const test of unsteady)
    say(`FAILED, and passed when it was repeated: ${relative(root, test)} (TEST_SEED=${seed})`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!interrupted) {
      started = descendantsOf(process.pid);
      running?.kill(signal);
    }
    interrupted = signal;
  });
}

let exitCode = 1;
try {
  exitCode = await main();
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
if (interrupted) await endProcesses(started, 5_000);
rmSync(folder, { recursive: true, force: true });
process.exit(exitCode);
