import type { z } from 'zod';

type Repeated = {
  context: z.RefinementCtx;
  /** Where the list is, seen from what is refined. */
  at?: readonly (string | number)[];
  field: string;
  what: string;
};

/** Reports each repeated value as `what` of another one. */
export function refuseRepeated(values: readonly string[], { context, at = [], field, what }: Repeated): void {
  const first = new Map<string, number>();
  for (const [index, value] of values.entries())
    if (first.has(value))
      context.addIssue({
        code: 'custom',
        path: [...at, index, field],
        params: { constraint: 'exists' },
        message: `is already ${what}. Choose another one`,
      });
    else first.set(value, index);
}

/** For lists of what has a name of its own. */
export const ofDifferentNames =
  (what: string) =>
  (all: readonly { name: string }[], context: z.RefinementCtx): void =>
    refuseRepeated(
      all.map(({ name }) => name),
      { context, field: 'name', what: `the name of another ${what}` },
    );
