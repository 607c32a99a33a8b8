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
  const counts = { passed: 3, failed: 0, skipped: 1 };
  const ran = { version: '1.2.3', commit: 'abc', date: '2026-11-26' };
  const [first, second] = stages as [Stage, Stage];
  const rowOf = (report: string, { name }: Stage) => report.split('\n').find((line) => line.startsWith(`| ${name} |`));

  it('has a row for each stage, also for those that were not run', () => {
    const report = reportOf('', { stage: second, counts, seconds: 12.4 }, ran);
    expect(rowOf(report, second)).toBe(
      `| ${second.name} | ${second.what} | 3 | 0 | 1 | 12 | 1.2.3 at abc | 2026-11-26 |`,
    );
    for (const stage of stages) if (stage !== second) expect(rowOf(report, stage)).toContain('| not run |');
  });

  it('keeps what earlier runs found of other stages, and nothing of its own', () => {
    let report = '';
    for (const stage of [first, second, first])
      report = reportOf(report, { stage, counts, seconds: report.length }, { ...ran, commit: `${report.length}` });
    expect(report.match(/1\.2\.3 at/g)).toHaveLength(2);
    expect(rowOf(report, second)).toMatch(/1\.2\.3 at [1-9]/);
    expect(rowOf(report, first)).not.toContain('at 0 ');
  });
});
