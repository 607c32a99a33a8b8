import type { WorkflowDefinition } from '@eas/contracts';
import fc from 'fast-check';
import { definitionOf } from './scene.ts';

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const anyStep = fc.record({
  needs: fc.array(fc.nat(5), { maxLength: 3 }),
  condition: fc.option(fc.constantFrom('flag', 'result', 'skipped'), { freq: 2 }),
  approval: optional(fc.constantFrom({ person: true }, { role: 'qa' })),
  retry: optional(fc.record({ max_attempts: fc.integer({ min: 1, max: 3 }), backoff: fc.constantFrom(0, 100) })),
  timeout: optional(fc.constant(3_600)),
});

/** Definitions of up to six steps: chains, branches, joins, conditions, approvals, retries and time-outs. */
export const anyDefinition: fc.Arbitrary<WorkflowDefinition> = fc
  .array(anyStep, { minLength: 1, maxLength: 6, size: 'max' })
  .map((drawn) =>
    definitionOf(
      drawn.map(({ needs, condition, ...step }, index) => {
        if (index === 0) return { id: 's0', task: taskOf('s0'), ...given(step) };
        const earlier = [...new Set(needs.map((need) => `s${need % index}`))];
        const needed = earlier.length > 0 ? earlier : [`s${index - 1}`];
        const conditions = {
          flag: { path: 'parameters.flag', op: 'eq', value: true },
          result: { path: `steps.${needed[0]}.result.ok`, op: 'eq', value: true },
          skipped: { path: `steps.${needed[0]}.status`, op: 'eq', value: 'skipped' },
        };
        const when = condition === null ? {} : { condition: conditions[condition] };
        const id = `s${index}`;
        return { id, task: taskOf(id), needs: needed, ...when, ...given(step) };
      }),
    ),
  );

/** Its title names the step. */
const taskOf = (key: string) => ({ title: key, description: 'd' });
const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
