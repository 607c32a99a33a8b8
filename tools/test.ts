// `npm test`: unit tests once, then integration and end-to-end tests on both queue back ends.
// Usage: test [--kind unit|int|e2e[,...]] [--backend postgres|redis[,...]] [patterns and options of Jest]
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseTestArgs, sumOf, type Counts, type JestReport, type Kind } from './test-plan.ts';
import { answersPing, findOnPath, startRedisServer, type RedisServer } from './redis-server.ts';

const root = resolve(import.meta.dirname, '..');
const isCi = Boolean(process.env.CI) && process.env.CI !== 'false';
const say = (line: string): void => void process.stdout.write(`[test] ${line}\n`);
const reports = mkdtempSync(join(tmpdir(), 'eas-test-'));
let running: ChildProcess | undefined;
let interrupted: NodeJS.Signals | undefined;

/** Ends with what Jest counted, or with one failure if Jest died without a report. */
async function runJest(title: string, kinds: Kind[], env: NodeJS.ProcessEnv, jestArgs: string[]): Promise<Counts> {
  say(`${title} ...`);
  const startedAt = Date.now();
  const outputFile = join(reports, `${title.replaceAll(/\W+/g, '-')}.json`);
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--selectProjects', ...kinds];
  const report = ['--json', `--outputFile=${outputFile}`, '--passWithNoTests'];
  const child = spawn(process.execPath, [...flags, ...jest, ...report, ...jestArgs], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${flags.join(' ')}`.trim(), ...env },
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

/** The Redis that was given, one of our own, or undefined if there is none to be had. */
async function openRedis(): Promise<(RedisServer | { url: string; stop: () => Promise<void> }) | undefined> {
  const given = process.env.REDIS_URL;
  if (given) {
    const { hostname, port } = new URL(given.split(',')[0] ?? given);
    if (
      !(await answersPing(hostname.replaceAll(/[[\]]/g, ''), Number(port || 6379), 3000)) &&
      !given.startsWith('rediss:')
    ) {
      throw new Error(`REDIS_URL is set, but nothing answers at ${hostname}:${port || 6379}.`);
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

async function runOnRedis(kinds: Kind[], jestArgs: string[], onPostgres: Counts | undefined): Promise<Counts> {
  const redis = await openRedis();
  if (!redis) {
    const line = 'no REDIS_URL and no redis-server on PATH: THE REDIS SUITES WERE NOT RUN';
    const bar = '!'.repeat(line.length + 8);
    process.stdout.write(`${bar}\n!!! ${line} !!!\n${bar}\n`);
    const notRun = onPostgres ? onPostgres.passed + onPostgres.failed + onPostgres.skipped : 0;
    return { passed: 0, failed: isCi ? 1 : 0, skipped: notRun };
  }
  const isOurs = 'pid' in redis;
  const env = { TEST_QUEUE_BACKEND: 'redis', REDIS_URL: redis.url, TEST_REDIS_DISPOSABLE: String(isOurs) };
  try {
    return await runJest(`${kinds.join(' and ')} tests on the Redis queue`, kinds, env, jestArgs);
  } finally {
    await redis.stop();
  }
}

async function main(): Promise<number> {
  const { kinds, backends, jestArgs } = parseTestArgs(process.argv.slice(2));
  const all: Counts[] = [];
  if (kinds.includes('unit')) all.push(await runJest('unit tests', ['unit'], {}, jestArgs));
  const withQueue = kinds.filter((kind) => kind !== 'unit');
  let onPostgres: Counts | undefined;
  if (withQueue.length > 0 && backends.includes('postgres') && !interrupted) {
    const env = { TEST_QUEUE_BACKEND: 'postgres', REDIS_URL: undefined };
    onPostgres = await runJest(`${withQueue.join(' and ')} tests on the Postgres queue`, withQueue, env, jestArgs);
    all.push(onPostgres);
  }
  if (withQueue.length > 0 && backends.includes('redis') && !interrupted) {
    all.push(await runOnRedis(withQueue, jestArgs, onPostgres));
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
