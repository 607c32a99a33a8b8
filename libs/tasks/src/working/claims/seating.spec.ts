import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyRole, isMeant, type Waiter } from '../../records/tasks/work-key.ts';
import { createSeating } from './seating.ts';

const tenantId = fc.constantFrom('tnt_1', 'tnt_2');
const agentId = fc.constantFrom('agt_a', 'agt_b', 'agt_c');
const role = fc.constantFrom('rd', 'qa', 'agt_a');
const sleeper = fc.record({ waiter: fc.record({ tenantId, agentId, role }), able: fc.boolean(), isGone: fc.boolean() });
const meaning = fc.record({
  tenantId,
  meant: fc.oneof(role, agentId, fc.constant(anyRole)),
  except: fc.constant<string[]>([]),
});

describe('the seats of claims that wait', () => {
  it('give for a wake-up just the kinds with somebody whom it means', () => {
    fc.assert(
      fc.property(fc.array(sleeper, { maxLength: 20 }), meaning, (sleepers, wake) => {
        const seating = createSeating<{ waiter: Waiter }>();
        const seats = sleepers.map((one) => ({
          ...one,
          ...seating.sit(one, { capabilities: one.able ? ['rust'] : [] }),
        }));
        for (const { isGone, stand } of seats) if (isGone) stand();
        const present = seats.filter(({ isGone }) => !isGone);
        const meant = present.filter(({ waiter }) => isMeant(wake, waiter)).map(({ kind }) => kind);
        expect(new Set(seating.meantBy(wake))).toEqual(new Set(meant));
        expect([...seating.all()]).toHaveLength(present.length);
      }),
    );
  });
});
