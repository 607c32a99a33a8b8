import { findLeaf } from './parse-json.ts';

/** 15 digits with an exponent of two are always held: only what may be more is read a second time. */
const maybeInexact = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** What JSON.parse hands to a reviver; the types of the language do not have it yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * The path of the first number of a JSON text that is another one when it is parsed and printed again:
 * 9007199254740993, or 1e400, which becomes null. Undefined: there is none.
 */
export function findInexactNumber(text: string): string[] | undefined {
  if (!maybeInexact.test(text)) return undefined;
  const mark: Reviver = (_key, value, { source }) => (typeof value === 'number' && !isSame(source, value) ? 0n : value);
  const marked: unknown = JSON.parse(text, mark as (key: string, value: unknown) => unknown);
  return findLeaf(marked, (leaf) => typeof leaf === 'bigint');
}

const isSame = (source: string | undefined, value: number): boolean =>
  source === undefined || decimalOf(source) === decimalOf(String(value));

/** One text for each number, however it is written: its digits without zeros at the ends, and an exponent. */
function decimalOf(text: string): string {
  const [, sign = '', whole = text, fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}
