import { findLeaf } from './parse-json.ts';

/** 15 digits with a two-digit exponent are always exact: only longer numbers are checked. */
const maybeInexact = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** What JSON.parse passes to a reviver; TypeScript does not have the type yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * The path of the first number of a JSON text that changes when it is parsed and printed again, such as
 * 9007199254740993, or 1e400, which becomes null. Undefined if there is none.
 */
export function findInexactNumber(text: string): string[] | undefined {
  if (!maybeInexact.test(text)) return undefined;
  const mark: Reviver = (_key, value, { source }) => (typeof value === 'number' && !isSame(source, value) ? 0n : value);
  const marked: unknown = JSON.parse(text, mark as (key: string, value: unknown) => unknown);
  return findLeaf(marked, (leaf) => typeof leaf === 'bigint');
}

const isSame = (source: string | undefined, value: number): boolean =>
  source === undefined || decimalOf(source) === decimalOf(String(value));

/** The normal form of a number, however it is written: its digits without zeros at the ends, and an exponent. */
function decimalOf(text: string): string {
  const [, sign = '', whole = text, fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}
