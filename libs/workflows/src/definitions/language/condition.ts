import { isDeepStrictEqual } from 'node:util';
import { parseTimestamp, type StepComparison, type StepCondition } from '@eas/contracts';
import { type RunData, valueAt } from './run-data.ts';

/** Whether a step's condition holds. A missing value is equal to nothing, and neither greater nor less. */
export function isMet(condition: StepCondition, data: RunData): boolean {
  if ('all' in condition) return condition.all.every((one) => isMet(one, data));
  if ('any' in condition) return condition.any.some((one) => isMet(one, data));
  if ('not' in condition) return !isMet(condition.not, data);
  return compares(condition, valueAt(data, condition.path));
}

function compares({ op, value }: StepComparison, found: unknown): boolean {
  switch (op) {
    case 'exists':
      return (found !== undefined) === (value ?? true);
    case 'eq':
      return isDeepStrictEqual(found, value);
    case 'ne':
      return !isDeepStrictEqual(found, value);
    case 'in':
      return Array.isArray(value) && value.some((one) => isDeepStrictEqual(found, one));
    case 'gt':
      return isLess(value, found);
    case 'lt':
      return isLess(found, value);
  }
}

/** Numbers by size, moments by time; nothing else has an order. */
function isLess(a: unknown, b: unknown): boolean {
  const [left, right] = [magnitudeOf(a), magnitudeOf(b)];
  return left !== undefined && right?.kind === left.kind && left.size < right.size;
}

/** The position of a value in the order of its kind; undefined for kinds without an order. */
export function magnitudeOf(value: unknown): { kind: 'number' | 'moment'; size: number } | undefined {
  if (typeof value === 'number') return { kind: 'number', size: value };
  const moment = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return moment && { kind: 'moment', size: moment.getTime() };
}
