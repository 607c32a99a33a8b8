import { describe, expect, it } from '@jest/globals';
import type { Backlog } from './outbox.sweeper.ts';
import { quotasOf, capacityBehind } from './quotas.ts';

const of = (consumer: Backlog['consumer'], count: number) => Array.from({ length: count }, () => ({ consumer }));
const plenty = () => 'plenty' as const;
const little = () => 'little' as const;
const isShort = () => undefined;

describe('the quotas of a round', () => {
  it("give a consumer's only tenant a whole job, and several tenants less each", () => {
    expect(quotasOf([...of('run.advance', 1), ...of('task.plan', 2)], plenty, isShort)).toEqual([500, 100, 100]);
  });

  it.each([
    [0, [100, 100, 500]],
    [7, [100, 100, 500]],
    [8, [10, 10, 500]],
    [499, [10, 10, 500]],
    [500, [0, 0, 500]],
  ])('become small for a queue with waiting jobs, and zero for a full one: %s', (waiting, quotas) => {
    const backlogs = [...of('run.advance', 2), ...of('facts.record', 1)];
    expect(quotasOf(backlogs, (consumer) => capacityBehind(consumer === 'run.advance' ? waiting : 0), isShort)).toEqual(
      quotas,
    );
  });

  it('let a long backlog wait while there is little capacity, and give it its share when it has waited too long', () => {
    const quotas = (waitedMs: number[]) =>
      quotasOf(
        waitedMs.map((waited) => ({ consumer: 'run.advance' as const, waited })),
        little,
        ({ waited }) => (waited < 0 ? undefined : waited),
      );
    expect(quotas([-1, 0, 249, 250])).toEqual([10, 0, 0, 100]);
    expect([quotas([0]), quotas([250])]).toEqual([[0], [500]]);
  });

  it('become smaller the more backlogs there are, but never zero', () => {
    expect(quotasOf(of('task.plan', 200), plenty, isShort)).toEqual(Array(200).fill(20));
    expect(quotasOf(of('task.plan', 2_000), plenty, isShort)).toEqual(Array(2_000).fill(10));
  });

  it('are empty without backlogs', () => {
    expect(quotasOf([], plenty, isShort)).toEqual([]);
  });
});
