import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PlanningAgent } from '../reading/agent.read-model.ts';
import type { Needs } from '../records/tasks/eligibility.ts';
import { chooseAgent } from './choose-agent.ts';

const task = { role: 'rd', pinnedTo: null, notFor: null, capabilities: [] as string[] };
const agent = (id: string, over: Partial<PlanningAgent> = {}): PlanningAgent => ({
  id,
  role: 'rd',
  capabilities: [],
  standing: 'online',
  assigned: 0,
  idleSince: new Date(0),
  ...over,
});
const chosen = (
  agents: PlanningAgent[],
  { lostBy = null, ...over }: { lostBy?: string | null } & Partial<Needs> = {},
) => chooseAgent({ ...task, ...over }, structuredClone(agents), lostBy)?.agentId;

describe('the choice of an agent', () => {
  it.each<[string, PlanningAgent[], object?]>([
    ['waits in a claim before one that is online', [agent('b'), agent('a', { standing: 'waiting', assigned: 9 })]],
    ['is online before one that is away', [agent('b', { standing: 'away' }), agent('a', { assigned: 9 })]],
    ['has the fewest tasks among its like', [agent('b', { assigned: 2 }), agent('a', { assigned: 1 })]],
    ['is idle longest among those', [agent('b', { idleSince: new Date(2) }), agent('a', { idleSince: new Date(1) })]],
    ['has the role', [agent('b', { role: 'qa' }), agent('a', { assigned: 9, standing: 'away' })]],
    ['has what is required', [agent('b'), agent('a', { capabilities: ['sql'] })], { capabilities: ['sql'] }],
    ['has not lost it, over any other', [agent('b'), agent('a', { standing: 'away' })], { lostBy: 'b' }],
    ['is eligible at all', [agent('b'), agent('a', { standing: 'away' })], { notFor: 'b' }],
  ])('falls on the one that %s', (_, agents, over = {}) => {
    expect(chosen(agents, over)).toBe('a');
    expect(chosen(agents.toReversed(), over)).toBe('a');
  });

  it('is the agent that lost the task if no other is eligible, and none if none is', () => {
    expect(chosen([agent('a')], { lostBy: 'a' })).toBe('a');
    expect(chosen([agent('a')], { notFor: 'a' })).toBeUndefined();
    expect(chosen([agent('a')], { capabilities: ['sql'] })).toBeUndefined();
    expect(chosen([])).toBeUndefined();
    expect(chosen([agent('a')], { role: null })).toBeUndefined();
  });

  it('includes the reason', () => {
    const agents = [agent('a', { standing: 'waiting', assigned: 3 }), agent('b')];
    const reason = '2 rd agent(s) can do the task; this one is waiting for work and has the fewest tasks (3)';
    expect(chooseAgent(task, agents, null)).toMatchObject({ agentId: 'a', reason });
  });

  it('spreads a batch: each waiting agent gets one task, and equal agents differ by at most one', () => {
    const standing = fc.constantFrom('waiting' as const, 'online' as const);
    const crowd = fc.array(standing, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(crowd, fc.integer({ min: 1, max: 40 }), (standings, count) => {
        const agents = standings.map((own, index) => agent(`agt_${index}`, { standing: own }));
        const plans = Array.from({ length: count }, () => chooseAgent(task, agents, null)?.agentId);
        const waiting = standings.filter((own) => own === 'waiting').length;
        const first = new Set(plans.slice(0, waiting));
        expect(first.size).toBe(Math.min(waiting, count));
        const loads = agents.map(({ id }) => plans.filter((planned) => planned === id).length);
        if (count > waiting) expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
