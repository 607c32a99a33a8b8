import type { StepComparison, StepCondition } from '@eas/contracts';
import { hasMembers, type Violation } from '@eas/core';
import { magnitudeOf } from '../language/condition.ts';
import { pathsIn } from '../language/placeholder.ts';

/** What a step may read of the run: its parameters and name, and these steps. */
type Before = ReadonlySet<string>;
/** What a template may read: an undeclared parameter would be an empty text in every run that lacks it. */
type Readable = { before: Before; parameters: ReadonlySet<string> };

export function conditionViolations(condition: StepCondition, field: string, before: Before): Violation[] {
  const within = (conditions: StepCondition[], name: string) =>
    conditions.flatMap((one, index) => conditionViolations(one, `${field}.${name}.${index}`, before));
  if ('all' in condition) return within(condition.all, 'all');
  if ('any' in condition) return within(condition.any, 'any');
  if ('not' in condition) return conditionViolations(condition.not, `${field}.not`, before);
  const value = valueViolation(condition);
  return [
    ...pathViolations(condition.path, `${field}.path`, before),
    ...(value ? [{ ...value, field: `${field}.value` }] : []),
  ];
}

const maxPlaceholders = 100;

export function templateViolations(template: unknown, field: string, readable: Readable): Violation[] {
  if (typeof template === 'string') {
    const paths = pathsIn(template, maxPlaceholders + 1);
    if (paths.length > maxPlaceholders)
      return [{ field, constraint: 'max_length', message: `must have at most ${maxPlaceholders} placeholders` }];
    return paths.flatMap((path) => [
      ...pathViolations(path, field, readable.before),
      ...undeclaredViolations(path, field, readable.parameters),
    ]);
  }
  if (!hasMembers(template)) return [];
  return Object.entries(template).flatMap(([key, inner]) => templateViolations(inner, `${field}.${key}`, readable));
}

const maxChoices = 100;

function valueViolation({ op, value }: StepComparison): Omit<Violation, 'field'> | undefined {
  if (op === 'exists')
    return value === undefined || typeof value === 'boolean'
      ? undefined
      : { constraint: 'type', message: 'must be true or false for exists' };
  if (value === undefined || value === null)
    return { constraint: 'required', message: `is required for ${op}; use exists to test for a value` };
  if (op === 'in') {
    if (!Array.isArray(value)) return { constraint: 'type', message: 'must be an array for in' };
    return value.length > maxChoices
      ? { constraint: 'max_length', message: `must have at most ${maxChoices} items` }
      : undefined;
  }
  const isOrdered = op === 'gt' || op === 'lt';
  return isOrdered && !magnitudeOf(value)
    ? { constraint: 'type', message: `must be a number or a timestamp for ${op}` }
    : undefined;
}

function pathViolations(path: string, field: string, before: Before): Violation[] {
  const [scope, name, part, ...rest] = path.split('.');
  const hasGap = path.split('.').includes('');
  if (!hasGap && path === 'run.name') return [];
  if (!hasGap && scope === 'parameters' && name !== undefined) return [];
  const isOfStep = part === 'result' || (part === 'status' && rest.length === 0);
  if (hasGap || scope !== 'steps' || name === undefined || !isOfStep)
    return [{ field, constraint: 'format', message: `has an unknown path: ${path}; known: ${knownPaths}` }];
  if (before.has(name)) return [];
  return [{ field, constraint: 'exists', message: `refers to ${name}, which is not a step before this one` }];
}

function undeclaredViolations(path: string, field: string, declared: ReadonlySet<string>): Violation[] {
  const [scope, name = ''] = path.split('.');
  if (scope !== 'parameters' || name === '' || declared.has(name)) return [];
  const known = [...declared].slice(0, maxNamed).join(', ');
  const message = `refers to ${name.slice(0, 100)}, which is no declared parameter; declare it in parameters, or use one of: ${known}`;
  return [{ field, constraint: 'exists', message }];
}

const maxNamed = 20;

const knownPaths = 'parameters.<name>, run.name, steps.<id>.status, steps.<id>.result';
