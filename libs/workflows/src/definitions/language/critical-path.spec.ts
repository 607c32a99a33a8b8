import type { WorkflowDefinition } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { criticalPathMs } from './critical-path.ts';

const definitionOf = (steps: { id: string; needs: string[] }[]) => ({ steps }) as WorkflowDefinition;

describe('the critical path', () => {
  const steps = [
    { id: 'a', needs: [] },
    { id: 'b', needs: ['a'] },
    { id: 'c', needs: ['a'] },
    { id: 'd', needs: ['b', 'c'] },
  ];

  it('is the longest way through what needs each other', () => {
    const ms: Record<string, number> = { a: 1, b: 20, c: 3, d: 100 };
    expect(criticalPathMs(definitionOf(steps), (key) => ms[key] ?? 0)).toBe(121);
  });

  it('is no shorter than any step and no longer than all of them', () => {
    const durations = fc.array(fc.nat(1_000_000), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(durations, (all) => {
        const ms = criticalPathMs(definitionOf(steps), (key) => all['abcd'.indexOf(key)] ?? 0);
        expect(ms).toBeGreaterThanOrEqual(Math.max(...all));
        expect(ms).toBeLessThanOrEqual(all.reduce((sum, one) => sum + one, 0));
      }),
    );
  });

  it('visits each step once, however many paths there are', () => {
    const wide = Array.from({ length: 100 }, (_, at) => ({
      id: `s${at}`,
      needs: Array.from({ length: at }, (_unused, need) => `s${need}`),
    }));
    expect(criticalPathMs(definitionOf(wide), () => 1)).toBe(100);
  });
});
