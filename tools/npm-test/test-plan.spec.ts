import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  type JestReport,
  leftToRedis,
  mayMatch,
  parseTestArgs,
  passedOnRepetition,
  redisSuitesOf,
  roundsOf,
  sumOf,
} from './test-plan.ts';

describe('parseTestArgs', () => {
  it('runs every kind on both back ends when nothing is asked for', () => {
    expect(parseTestArgs([])).toEqual({ kinds: ['unit', 'int', 'e2e'], backends: ['postgres', 'redis'], jestArgs: [] });
  });

  it('takes its own options in both spellings and leaves the rest to Jest', () => {
    expect(parseTestArgs(['--kind', 'int,e2e', 'libs/tasks', '--backend=redis', '-t', 'claims'])).toEqual({
      kinds: ['int', 'e2e'],
      backends: ['redis'],
      jestArgs: ['libs/tasks', '-t', 'claims'],
    });
  });

  it('refuses a kind it does not know', () => {
    expect(() => parseTestArgs(['--kind', 'smoke'])).toThrow('--kind takes unit, int, e2e, release, not "smoke".');
  });
});

describe('roundsOf', () => {
  it.each([
    ['all suites: unit tests first', [], [['unit'], ['int', 'e2e']]],
    ['some suites: at once', ['tasks'], [['unit', 'int', 'e2e']]],
    ['one kind', ['--kind', 'int'], [['int']]],
    ['on Redis: unit tests alone', ['--backend', 'redis'], [['unit']]],
  ])('%s', (_, args, rounds) => {
    expect(roundsOf(parseTestArgs(args))).toEqual(rounds);
  });
});

describe('mayMatch', () => {
  const files = ['libs/shared/queue/src/relay.int.spec.ts'];
  it.each([
    [[], true],
    [['tasks'], false],
    [['tasks', 'relay'], true],
    [['QUEUE.*relay'], true],
    [['-t', 'claims'], true],
  ])('with %j is %s', (args, expected) => {
    expect(mayMatch(args, files)).toBe(expected);
  });
});

describe('redisSuitesOf', () => {
  it('finds suites that depend on the queue store in any folder', () => {
    const files = globSync('{apps,libs}/**/*.{int,e2e}.spec.ts', { cwd: resolve(import.meta.dirname, '../..') });
    const taken = redisSuitesOf(files);
    for (const name of [
      'relay.int',
      'worker.int',
      'rate-windows.int',
      'crash.e2e',
      'slice.e2e',
      'stress.e2e',
      'chat.e2e',
    ])
      expect(taken).toContainEqual(expect.stringContaining(`/${name}.spec.ts`));
    expect(redisSuitesOf(['apps/standalone/test/backup.release.spec.ts'])).toEqual([]);
  });
});

describe('leftToRedis', () => {
  it('leaves kills and wipes to Redis in a short run of all suites, and nothing in another one', () => {
    delete process.env['TEST_FORM'];
    const left = leftToRedis(parseTestArgs([]));
    expect(redisSuitesOf(left.map((beginning) => `${beginning}e2e.spec.ts`))).toHaveLength(left.length);
    expect(left).not.toHaveLength(0);
    for (const args of [['stress'], ['--backend', 'postgres']]) expect(leftToRedis(parseTestArgs(args))).toEqual([]);
    process.env['TEST_FORM'] = 'long';
    expect(leftToRedis(parseTestArgs([]))).toEqual([]);
  });
});

describe('the filter of a run', () => {
  it.each([
    ['takes the listed files', { TEST_ONLY: '/b/y' }, ['/b/y']],
    ['takes none where none is listed', { TEST_ONLY: '' }, []],
    ['leaves out what begins so', { TEST_EXCEPT: '/a/' }, ['/b/y']],
    ['leaves all where nothing is left out', { TEST_EXCEPT: '' }, ['/a/x', '/b/y']],
  ])('%s', (_, env, expected) => {
    const program = `JSON.stringify(require('./chosen-files.cjs')(['/a/x', '/b/y']).filtered)`;
    const said = execFileSync(process.execPath, ['-p', program], { cwd: import.meta.dirname, env, encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual(expected);
  });
});

describe('passedOnRepetition', () => {
  const reportOf = (files: Record<string, Record<string, string>>) => {
    const testResults = Object.entries(files).map(([name, tests]) => ({
      name,
      status: Object.values(tests).includes('failed') || Object.keys(tests).length === 0 ? 'failed' : 'passed',
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
    }));
    return { testResults } as unknown as JestReport;
  };

  it('names the tests that failed only once, and files that could not run only once', () => {
    const first = reportOf({ a: { one: 'failed', two: 'failed', three: 'passed' }, b: {}, c: {} });
    const repeated = reportOf({ a: { one: 'passed', two: 'failed', three: 'passed' }, b: { four: 'passed' }, c: {} });
    expect(passedOnRepetition(first, repeated)).toEqual(['a › one', 'b']);
    expect(passedOnRepetition(first, reportOf({ a: {}, b: {}, c: {} }))).toEqual([]);
  });
});

describe('sumOf', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 1,
    numRuntimeErrorTestSuites: 0,
    testResults: [],
  };

  it('counts what is pending or to do as skipped', () => {
    expect(sumOf(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
  });

  it('counts a suite that could not run as a failure', () => {
    expect(sumOf({ ...report, numRuntimeErrorTestSuites: 2 }, 1)).toMatchObject({ failed: 2 });
  });

  it('counts a bad exit with nothing failed as a failure', () => {
    expect(sumOf(report, 1)).toMatchObject({ failed: 1 });
  });
});
