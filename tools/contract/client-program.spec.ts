import { describe, expect, it } from '@jest/globals';
import { countsOfTap } from './client-program.ts';

describe('countsOfTap', () => {
  it('reads the figures at the end, a cancelled test is a failed one', () => {
    const report = 'ok 1 - a\n# tests 6\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n';
    expect(countsOfTap(report)).toEqual({ passed: 3, failed: 2, skipped: 1 });
  });

  it('knows a report that broke off', () => expect(countsOfTap('ok 1 - a\n')).toBeUndefined());
});
