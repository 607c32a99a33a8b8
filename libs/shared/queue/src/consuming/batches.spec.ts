import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupBySize } from './batches.ts';

describe('groupBySize', () => {
  it('keeps order, loses nothing, and no group is over the bound unless it is one event', () => {
    const sizes = fc.array(fc.nat(150), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, (bytes) => {
        const ids = bytes.map((_, index) => `evt_${index}`);
        const known = new Map(bytes.map((size, index) => [`evt_${index}`, size]));
        const groups = groupBySize(ids, known, 100);
        expect(groups.flat()).toEqual(ids);
        for (const group of groups) {
          const total = group.reduce((sum, id) => sum + (known.get(id) ?? 0), 0);
          expect(group.length === 1 || total <= 100).toBe(true);
        }
        // As few groups as possible: the first event of a group did not fit into the previous one.
        for (const [index, group] of groups.entries()) {
          const before = groups[index - 1];
          if (!before) continue;
          const total = [...before, group[0] ?? ''].reduce((sum, id) => sum + (known.get(id) ?? 0), 0);
          expect(total).toBeGreaterThan(100);
        }
      }),
    );
  });
});
