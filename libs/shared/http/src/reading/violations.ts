import { type Constraint, valueAt, type Violation } from '@eas/core';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const maxViolations = 100;

/** The violations of a value, in schema order. `value` is the parsed value. */
export function violationsOf(error: z.core.$ZodError, value: unknown): Violation[] {
  const violations: Violation[] = [];
  for (const issue of error.issues) collect(issue, [], value, violations);
  const seen = new Set<string>();
  return violations
    .filter(({ field, constraint }) => {
      const key = `${field}\n${constraint}`;
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, maxViolations);
}

function collect(issue: Issue, base: readonly PropertyKey[], root: unknown, out: Violation[]): void {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys.slice(0, maxViolations))
      out.push({ field: fieldName([...path, key]), constraint: 'unknown_field' });
    return;
  }
  const value = valueAt(root, path);
  if (issue.code === 'invalid_union' && value !== undefined && value !== null) {
    const branch = fittingBranch(issue.errors);
    if (branch) return branch.forEach((inner) => collect(inner, path, root, out));
  }
  if (issue.code === 'invalid_key') {
    const [inner] = issue.issues;
    const constraint = inner ? constraintOf(inner, path.at(-1)) : 'format';
    out.push({ field: fieldName(path), constraint, message: `has a name that ${inner?.message ?? 'is invalid'}` });
    return;
  }
  out.push({ field: fieldName(path), constraint: constraintOf(issue, value), message: issue.message });
}

/** The branch of a union that fits best: one whose own type was right. */
function fittingBranch(branches: Issue[][]): Issue[] | undefined {
  return branches
    .filter((issues) => !issues.some(({ code, path }) => path.length === 0 && code === 'invalid_type'))
    .sort((a, b) => a.length - b.length)[0];
}

function constraintOf(issue: Issue, value: unknown): Constraint {
  if (value === undefined || value === null) return 'required';
  switch (issue.code) {
    case 'too_small':
      // Numbers of a query are written as text: what was too small is known from the issue alone.
      if (isNumber(issue)) return 'min';
      return typeof value === 'string' && value.trim() === '' ? 'required' : 'min_length';
    case 'too_big':
      return isNumber(issue) ? 'max' : 'max_length';
    case 'invalid_format':
      return issue.format === 'regex' ? 'pattern' : 'format';
    case 'invalid_value':
      return 'enum';
    case 'invalid_union':
      return issue.discriminator === undefined ? 'type' : 'enum';
    case 'custom':
      return (issue.params?.['constraint'] as Constraint | undefined) ?? 'format';
    case 'not_multiple_of':
      return 'format';
    default:
      return 'type';
  }
}

const isNumber = ({ origin }: { origin: string }) => ['number', 'int', 'bigint'].includes(origin);

/** Dotted path, cut to a length that fits a response; `body` for all of it. */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  return path.map(String).join('.').slice(0, 200).toWellFormed();
}
