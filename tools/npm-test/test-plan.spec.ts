import { describe, expect, it } from '@jest/globals';
import { parseTestArgs, sumOf } from './test-plan.ts';

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
    expect(() => parseTestArgs(['--kind', 'smoke'])).toThrow('--kind takes unit, int, e2e, not "smoke".');
  });
});

describe('sumOf', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 1,
    numRuntimeErrorTestSuites: 0,
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
