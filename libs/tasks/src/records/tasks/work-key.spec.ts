import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isEligible, needsOf } from './eligibility.ts';
import { isMeant, readWorkKey, workKeyOf } from './work-key.ts';

const ids = fc.constantFrom('agt_a', 'agt_b', 'agt_c');
const roles = fc.constantFrom('rd', 'qa');
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 2 });
const at = new Date(0);
const anyTask = fc
  .record({
    assignedRole: maybe(roles),
    assignedAgent: maybe(ids),
    isPinned: fc.boolean(),
    notFor: maybe(ids),
    lostBy: maybe(ids),
    restsUntil: maybe(fc.constantFrom(at, new Date(1))),
  })
  .map((task) => ({ ...task, isPinned: task.isPinned && task.assignedAgent !== null }));

describe('the key of a wake-up', () => {
  it('matches eligible agents that need not wait for the task, and no others unless the task is pinned', () => {
    fc.assert(
      fc.property(anyTask, ids, roles, (task, id, role) => {
        const may = isEligible({ id, role, capabilities: [] }, needsOf({ ...task, metadata: {} }));
        const rests = task.restsUntil !== null && task.restsUntil > at && task.lostBy === id;
        const wake = readWorkKey(workKeyOf('tnt_1', task, at));
        const means = isMeant(wake, { tenantId: 'tnt_1', agentId: id, role });
        if (may && !rests) expect(means).toBe(true);
        if (!task.isPinned) expect(means).toBe(may && !rests);
        expect(isMeant(wake, { tenantId: 'tnt_2', agentId: id, role })).toBe(false);
      }),
    );
  });

  it('from an older process without details means the role', () => {
    expect(isMeant(readWorkKey('tnt_1 rd all'), { tenantId: 'tnt_1', agentId: 'agt_a', role: 'rd' })).toBe(true);
  });
});
