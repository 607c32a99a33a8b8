import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agentStatus, assertAccepts, hasSlot, presenceOf } from './agent-state.ts';

const load = (activeLeases: number, maxConcurrentTasks: number) => ({ activeLeases, maxConcurrentTasks });
describe('the status of an agent', () => {
  it.each([
    ['idle', 0, 1],
    ['busy', 1, 1],
    ['active', 1, 2],
    ['busy', 2, 2],
    ['busy', 3, 1],
  ])('is %s with %d of %d leases', (status, activeLeases, max) =>
    expect(agentStatus(load(activeLeases, max))).toBe(status),
  );
});

describe('an agent that is paused', () => {
  it('accepts no task', () => {
    expect(() => assertAccepts({ isAccepting: true })).not.toThrow();
    const state = { violations: [{ field: 'agent_id', constraint: 'state' }] };
    expect(() => assertAccepts({ isAccepting: false })).toThrow(expect.objectContaining(state));
  });
});

describe('any life of an agent', () => {
  const act = fc.oneof(
    { weight: 5, arbitrary: fc.constant('claim' as const) },
    { weight: 3, arbitrary: fc.constantFrom('end' as const, 'park' as const, 'revive' as const) },
    fc.constantFrom('pause' as const, 'resume' as const),
    fc.integer({ min: 1, max: 4 }),
  );

  it('claims only while it accepts and has a slot, and is idle, active or busy by what it holds', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const agent = { ...load(0, 2), isAccepting: true };
        let parked = 0;
        for (const one of acts) {
          const before = { ...agent };
          const isLet = agent.isAccepting && hasSlot(agent);
          if (typeof one === 'number') agent.maxConcurrentTasks = one;
          else if (one === 'pause' || one === 'resume') agent.isAccepting = one === 'resume';
          else if (one === 'claim' && isLet) agent.activeLeases += 1;
          else if (one === 'revive' && parked > 0 && hasSlot(agent))
            [agent.activeLeases, parked] = [agent.activeLeases + 1, parked - 1];
          else if ((one === 'end' || one === 'park') && agent.activeLeases > 0) {
            agent.activeLeases -= 1;
            parked += Number(one === 'park');
          }
          if (agent.activeLeases > before.activeLeases)
            expect(agent.activeLeases).toBeLessThanOrEqual(agent.maxConcurrentTasks);
          expect(agentStatus(agent) === 'idle').toBe(agent.activeLeases === 0);
          expect(agentStatus(agent) === 'busy').toBe(agent.activeLeases > 0 && !hasSlot(agent));
        }
      }),
    );
  });
});

describe('the presence of an agent', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const seen = (secondsAgo: number) => new Date(now.getTime() - secondsAgo * 1_000);

  it.each([
    ['online', 0],
    ['online', 60],
    ['stale', 60.001],
    ['stale', 600],
    ['offline', 600.001],
  ])('is %s %d s after it was seen, with leases of 60 s', (presence, secondsAgo) =>
    expect(presenceOf(seen(secondsAgo), now, 60)).toBe(presence),
  );

  it('is offline if it was never seen, and online if seen by a clock that is ahead', () => {
    expect(presenceOf(null, now, 60)).toBe('offline');
    expect(presenceOf(seen(-5), now, 60)).toBe('online');
  });
});
