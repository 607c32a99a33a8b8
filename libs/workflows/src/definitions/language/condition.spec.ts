import type { StepCondition } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isMet } from './condition.ts';
import type { RunData } from './run-data.ts';

const data: RunData = {
  run: { name: 'Login' },
  parameters: { size: 5, due: '2027-01-01T00:00:00Z', tag: 'api', none: null, labels: ['a', 'b'], isHotfix: false },
  steps: { test: { status: 'completed', result: { passed: true, report: { failures: 2 } } } },
};
const is = (path: string, op: 'eq' | 'ne' | 'in' | 'exists' | 'gt' | 'lt', value?: unknown) =>
  isMet({ path, op, value }, data);

describe('a comparison', () => {
  it.each<[Parameters<typeof is>, boolean]>([
    [['parameters.tag', 'eq', 'api'], true],
    [['parameters.size', 'eq', '5'], false],
    [['parameters.labels', 'eq', ['a', 'b']], true],
    [['parameters.labels.1', 'eq', 'b'], true],
    [['run.name', 'ne', 'Logout'], true],
    [['steps.test.result.report.failures', 'gt', 1], true],
    [['steps.test.result.report.failures', 'lt', 2], false],
    [['steps.test.status', 'in', ['completed', 'skipped']], true],
    [['steps.test.result.passed', 'in', ['true']], false],
    [['parameters.isHotfix', 'exists'], true],
    [['parameters.isHotfix', 'exists', false], false],
  ])('%j is %s', (comparison, outcome) => {
    expect(is(...comparison)).toBe(outcome);
  });

  it('orders numbers by size and timestamps by time, and nothing else', () => {
    expect(is('parameters.due', 'gt', '2026-12-31T23:00:00-05:00')).toBe(false);
    expect(is('parameters.due', 'gt', '2026-12-31')).toBe(true);
    expect([is('parameters.tag', 'gt', 'aaa'), is('parameters.tag', 'lt', 'zzz')]).toEqual([false, false]);
    expect([is('parameters.due', 'gt', 0), is('parameters.due', 'lt', 0)]).toEqual([false, false]);
  });

  it.each([
    'parameters.other',
    'parameters.none',
    'parameters.tag.length',
    'steps.other.status',
    'parameters.toString',
  ])('with %s, which is not there, is equal to nothing, neither more nor less', (path) => {
    const value = '2027-01-01';
    const met = (['eq', 'gt', 'lt'] as const).filter((op) => is(path, op, value));
    expect([met, is(path, 'in', [value]), is(path, 'ne', value)]).toEqual([[], false, true]);
    expect([is(path, 'exists'), is(path, 'exists', false)]).toEqual([false, true]);
  });
});

describe('a combination', () => {
  /** A condition, and whether it holds: the truth is made together with it. */
  type Known = { condition: StepCondition; holds: boolean };
  const comparison = fc.boolean().map((holds): Known => {
    const value = holds ? 5 : 6;
    return { condition: { path: 'parameters.size', op: 'eq', value }, holds };
  });
  const known = fc.letrec<{ any: Known }>((tie) => {
    const some = fc.array(tie('any'), { minLength: 1, maxLength: 4 });
    const conditionsOf = (all: Known[]) => all.map(({ condition }) => condition);
    return {
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        comparison,
        some.map((all) => ({ condition: { all: conditionsOf(all) }, holds: !all.some(({ holds }) => !holds) })),
        some.map((all) => ({
          condition: { any: conditionsOf(all) },
          holds: all.filter(({ holds }) => holds).length > 0,
        })),
        tie('any').map(({ condition, holds }) => ({ condition: { not: condition }, holds: !holds })),
      ),
    };
  }).any;

  it('holds when all, any or none of its parts do, however deep', () => {
    fc.assert(fc.property(known, ({ condition, holds }) => isMet(condition, data) === holds));
  });

  it('of a comparison and its opposite always differs', () => {
    const op = fc.constantFrom('eq', 'ne', 'in', 'exists', 'gt', 'lt');
    const path = fc.constantFrom('parameters.size', 'parameters.due', 'parameters.other', 'steps.test.result.passed');
    fc.assert(
      fc.property(path, op, fc.jsonValue(), (at, operator, value) => {
        const condition: StepCondition = { path: at, op: operator, value };
        return isMet(condition, data) !== isMet({ not: condition }, data);
      }),
    );
  });
});
