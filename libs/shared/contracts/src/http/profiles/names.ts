import type { z } from 'zod';
import { requiredText } from '../../fields.ts';

const slugRule = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** A name that is also that of a folder or a part of names of tools. */
export const slug = (maxLength: number) =>
  requiredText(maxLength).regex(slugRule, { message: 'must be lower-case letters and digits, with single hyphens' });

type Repeated = { context: z.RefinementCtx; field: string; what: string };

/** Says of each value that came before that it is `what` of another one. */
export function refuseRepeated(values: readonly string[], { context, field, what }: Repeated): void {
  const first = new Map<string, number>();
  for (const [index, value] of values.entries())
    if (first.has(value))
      context.addIssue({
        code: 'custom',
        path: [index, field],
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
