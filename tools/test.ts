// `npm test`: unit tests, then integration and end-to-end tests on the Postgres queue, then those that use queues on Redis.
// Usage: test [--kind unit|int|e2e[,...]] [--backend postgres|redis[,...]] [patterns and options of Jest]
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseTestArgs, sumOf, type Counts, type JestReport, type Kind } from './npm-test/test-plan.ts';
import { respondsToPing, findOnPath, startRedisServer, type RedisServer } from './redis-server.ts';

const root = resolve(import.meta.dirname, '..');
const isCi = Boolean(process.env.CI) && process.env.CI !== 'false';
const say = (line: string): void => void process.stdout.write(`[test] ${line}\n`);
const reports = mkdtempSync(join(tmpdir(), 'eas-test-'));
let running: ChildProcess | undefined;
let interrupted: NodeJS.Signals | undefined;

const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
const jest = [...flags, join(root, 'node_modules/jest/bin/jest.js')];

/** Ends with what Jest counted, or with one failure if Jest died without a report. */
async function runJest(title: string, kinds: Kind[], env: NodeJS.ProcessEnv, jestArgs: string[]): Promise<Counts> {
  say(`${title} ...`);
  const startedAt = Date.now();
  const outputFile = join(reports, `${title.replaceAll(/\W+/g, '-')}.json`);
  const report = ['--json', `--outputFile=${outputFile}`, '--passWithNoTests'];
  const child = spawn(process.execPath, [...jest, '--selectProjects', ...kinds, ...report, ...jestArgs], {
    cwd: root,
    env: {
      ...process.env,
      ...withoutQueue,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${flags.join(' ')}`.trim(),
      ...env,
    },
    stdio: 'inherit', // with --outputFile the JSON stays off stdout
  });
  running = child;
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (exitCode, signal) => done(signal ? 1 : (exitCode ?? 1)));
  });
  running = undefined;
  const counts = existsSync(outputFile)
    ? sumOf(JSON.parse(readFileSync(outputFile, 'utf8')) as JestReport, code)
    : { passed: 0, failed: 1, skipped: 0 };
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  say(`${title}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s`);
  return counts;
}

/** What a developer has set for systems of their own must not lead suites to another queue than the run's. */
const withoutQueue = { REDIS_URL: undefined, TEST_QUEUE_BACKEND: undefined, TEST_REDIS_URL: undefined };

/** Suites whose imports lead to the queue back end, by Jest's own map of imports; the others are the same on any. */
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
  return files;
}

/** The Redis that was given, one of our own, or undefined if there is none to be had. */
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
    const filter = `--filter=${join(root, 'tools/npm-test/only-listed.cjs')}`;
    const title = `${kinds.join(' and ')} tests that use queues on the Redis queue`;
    return await runJest(title, kinds, env, [filter, ...jestArgs]);
  } finally {
    await redis.stop();
  }
}

async function main(): Promise<number> {
  const { kinds, backends, jestArgs } = parseTestArgs(process.argv.slice(2));
  const all: Counts[] = [];
  if (kinds.includes('unit')) all.push(await runJest('unit tests', ['unit'], {}, jestArgs));
  const withQueue = kinds.filter((kind) => kind !== 'unit');
  if (withQueue.length > 0 && backends.includes('postgres') && !interrupted) {
    all.push(await runJest(`${withQueue.join(' and ')} tests on the Postgres queue`, withQueue, {}, jestArgs));
  }
  if (withQueue.length > 0 && backends.includes('redis') && !interrupted) {
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
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!interrupted) running?.kill(signal);
    interrupted = signal;
  });
}

let exitCode = 1;
try {
  exitCode = await main();
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
rmSync(reports, { recursive: true, force: true });
process.exit(exitCode);
