import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ancestorsOf, circleIn, type StepNode } from './step-graph.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const graph: fc.Arbitrary<StepNode[]> = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.subarray(names).map((needs) => ({ id, needs })))));

/** What is reached by needs, by following them as often as there are steps. */
function closure(steps: readonly StepNode[]): Map<string, Set<string>> {
  const reached = new Map(steps.map(({ id, needs }) => [id, new Set(needs)]));
  for (const _ of steps)
    for (const own of reached.values()) for (const need of [...own]) reached.get(need)?.forEach((one) => own.add(one));
  return reached;
}

describe('the order of steps', () => {
  it('lists before a step its direct and indirect needs', () => {
    fc.assert(
      fc.property(graph, (steps) => {
        const expected = closure(steps);
        for (const [id, ancestors] of ancestorsOf(steps))
          expect([...ancestors].sort()).toEqual([...(expected.get(id) ?? [])].sort());
      }),
    );
  });

  it('has a cycle exactly if a step comes before itself', () => {
    fc.assert(
      fc.property(graph, (steps) => {
        const isCircular = [...closure(steps)].some(([id, ancestors]) => ancestors.has(id));
        expect(circleIn(steps) !== undefined).toBe(isCircular);
      }),
    );
  });

  it('returns the need by which a step waits for itself', () => {
    fc.assert(
      fc.property(graph, (steps) => {
        const circle = circleIn(steps);
        if (!circle) return;
        const step = steps[circle.step] as StepNode;
        const need = step.needs[circle.need] as string;
        expect(need === step.id || closure(steps).get(need)?.has(step.id)).toBe(true);
      }),
    );
  });
});
