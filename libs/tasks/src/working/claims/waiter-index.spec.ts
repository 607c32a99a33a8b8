import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyRole, isMeant, type Waiter } from '../../records/tasks/work-key.ts';
import { createWaiterIndex } from './waiter-index.ts';

const tenantId = fc.constantFrom('tnt_1', 'tnt_2');
const agentId = fc.constantFrom('agt_a', 'agt_b', 'agt_c');
const role = fc.constantFrom('rd', 'qa', 'agt_a');
const sleeper = fc.record({ waiter: fc.record({ tenantId, agentId, role }), able: fc.boolean(), isGone: fc.boolean() });
const meaning = fc.record({
  tenantId,
  meant: fc.oneof(role, agentId, fc.constant(anyRole)),
  except: fc.constant<string[]>([]),
});

describe('the index of waiting claims', () => {
  it('returns for a wake-up exactly the kinds with a matching waiter', () => {
    fc.assert(
      fc.property(fc.array(sleeper, { maxLength: 20 }), meaning, (sleepers, wake) => {
        const index = createWaiterIndex<{ waiter: Waiter }>();
        const waits = sleepers.map((one) => ({
          ...one,
          ...index.add(one, { capabilities: one.able ? ['rust'] : [] }),
        }));
        for (const { isGone, remove } of waits) if (isGone) remove();
        const present = waits.filter(({ isGone }) => !isGone);
        const meant = present.filter(({ waiter }) => isMeant(wake, waiter)).map(({ kind }) => kind);
        expect(new Set(index.meantBy(wake))).toEqual(new Set(meant));
        expect([...index.all()]).toHaveLength(present.length);
      }),
    );
  });
});
