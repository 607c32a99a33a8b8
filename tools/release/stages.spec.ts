import { describe, expect, it } from '@jest/globals';
import { countsIn, reportOf, type Stage, stages } from './stages.ts';

describe('countsIn', () => {
  it('reads the last line of counts', () => {
    expect(countsIn('1 passed, 1 failed, 0 skipped\nmore\n7 passed, 0 failed, 2 skipped\n', 0)).toEqual({
      passed: 7,
      failed: 0,
      skipped: 2,
    });
  });

  it.each([
    ['a command that printed no counts', 'nothing\n', 0],
    ['a command that ended badly', '7 passed, 0 failed, 0 skipped\n', 1],
  ])('counts %s as a failure', (_title, output, code) => {
    expect(countsIn(output, code).failed).toBe(1);
  });
});

describe('reportOf', () => {
  it('has a row for each stage', () => {
    const counts = { passed: 3, failed: 0, skipped: 1 };
    const results = stages.map((stage: Stage) => ({ stage, counts, seconds: 12.4 }));
    const report = reportOf(results, { version: '1.2.3', commit: 'abc', date: '2026-11-26' });
    for (const { name, what } of stages) expect(report).toContain(`| ${name} | ${what} | 3 | 0 | 1 | 12 |`);
    expect(report).toContain('for version 1.2.3 at abc, on 2026-11-26.');
  });
});
