import { describe, expect, it } from '@jest/globals';
import type { Backlog } from './outbox.sweeper.ts';
import { quotasOf, roomBehind } from './quotas.ts';

const of = (consumer: Backlog['consumer'], count: number) => Array.from({ length: count }, () => ({ consumer }));
const plenty = () => 'plenty' as const;
const little = () => 'little' as const;
const isShort = () => undefined;

describe('the quotas of a round', () => {
  it('give a tenant that is alone with a consumer a whole job, and tenants beside each other less', () => {
    expect(quotasOf([...of('run.advance', 1), ...of('task.plan', 2)], plenty, isShort)).toEqual([500, 100, 100]);
  });

  it.each([
    [0, [100, 100, 500]],
    [7, [100, 100, 500]],
    [8, [10, 10, 500]],
    [499, [10, 10, 500]],
    [500, [0, 0, 500]],
  ])('give little behind a queue with jobs that wait, and in the end nothing: %s', (waiting, quotas) => {
    const backlogs = [...of('run.advance', 2), ...of('facts.record', 1)];
    expect(quotasOf(backlogs, (consumer) => roomBehind(consumer === 'run.advance' ? waiting : 0), isShort)).toEqual(
      quotas,
    );
  });

  it('let a long backlog wait while there is little room, and give it its share when that takes long', () => {
    const quotas = (waitedMs: number[]) =>
      quotasOf(
        waitedMs.map((waited) => ({ consumer: 'run.advance' as const, waited })),
        little,
        ({ waited }) => (waited < 0 ? undefined : waited),
      );
    expect(quotas([-1, 0, 249, 250])).toEqual([10, 0, 0, 100]);
    expect([quotas([0]), quotas([250])]).toEqual([[0], [500]]);
  });

  it('become smaller the more backlogs there are, and never nothing', () => {
    expect(quotasOf(of('task.plan', 200), plenty, isShort)).toEqual(Array(200).fill(20));
    expect(quotasOf(of('task.plan', 2_000), plenty, isShort)).toEqual(Array(2_000).fill(10));
  });

  it('are none where nothing is owed', () => {
    expect(quotasOf([], plenty, isShort)).toEqual([]);
  });
});
