import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** For `error` of `safeParse`: the broken rule as it follows a field's name. A schema's own message comes first. */
export function ruleOfIssue(issue: RawIssue): string {
  if (issue.input === undefined || issue.input === null) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive);
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive);
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'in the required format'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has an unknown field: ${issue.keys[0]?.slice(0, 100)}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.join(', ')}`;
    case 'invalid_union':
      return issue.discriminator === undefined ? 'has the wrong type' : 'is not one of the allowed values';
    default:
      return 'is invalid';
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const formatNames: Record<string, string> = {
  datetime: 'an RFC 3339 timestamp',
  email: 'an e-mail address',
  url: 'an absolute URL, such as https://example.com/hooks',
};

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  record: ['field', 'fields'],
};

function tooSmall(origin: string, minimum: number | bigint, inclusive = true): string {
  const unit = units[origin];
  if (!unit) return `must be ${inclusive ? 'at least' : 'greater than'} ${minimum}`;
  return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit[1]}`;
}

function tooBig(origin: string, maximum: number | bigint, inclusive = true): string {
  const unit = units[origin];
  if (!unit) return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
  return `must have at most ${maximum} ${maximum === 1 ? unit[0] : unit[1]}`;
}
