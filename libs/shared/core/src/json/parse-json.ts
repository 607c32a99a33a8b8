import { isUtf8 } from 'node:buffer';
import { hasMembers } from './json-value.ts';
import { type JsonScan, scanJson } from './scan-json.ts';

/** Limits of every parsed body: within them, parsing and checking does not hold up other requests. */
export const jsonLimits = { maxDepth: 32, maxMembers: 20_000 };

/** Why bytes are not accepted as JSON; `key` as in a scan. */
export type JsonProblem =
  { problem: 'not_utf8' | 'not_json' } | { problem: NonNullable<JsonScan['problem']>; key: string | undefined };

/** `bytes`: the size of the text. */
export type ParsedJson = { problem?: undefined; value: unknown; text: string; bytes: Buffer };

/** Parses JSON bytes within `jsonLimits`, without a byte order mark. Never throws. `scan`: a scan of the same bytes. */
export function parseJson(bytes: Buffer, scan = scanJson(bytes, jsonLimits)): ParsedJson | JsonProblem {
  if (!isUtf8(bytes)) return { problem: 'not_utf8' };
  if (scan.problem) return { problem: scan.problem, key: scan.key };
  const json = withoutMark(bytes);
  const text = json.toString('utf8');
  try {
    return { value: JSON.parse(text) as unknown, text, bytes: json };
  } catch {
    return { problem: 'not_json' };
  }
}

const byteOrderMark = Buffer.from('\ufeff');
const withoutMark = (bytes: Buffer): Buffer =>
  byteOrderMark.every((byte, index) => bytes[index] === byte) ? bytes.subarray(byteOrderMark.length) : bytes;

/** The path of the first text or key for which `isBad` holds, depth first. */
export const findText = (value: unknown, isBad: (text: string, isKey: boolean) => boolean): string[] | undefined =>
  findLeaf(value, (leaf, isKey) => typeof leaf === 'string' && isBad(leaf, isKey));

/** The path of the first key, or value that is neither an object nor a list, for which `isBad` holds, depth first. */
export function findLeaf(value: unknown, isBad: (leaf: unknown, isKey: boolean) => boolean): string[] | undefined {
  const path: string[] = [];
  const walk = (inner: unknown): boolean => {
    if (!hasMembers(inner)) return isBad(inner, false);
    for (const key in inner) {
      path.push(key);
      if (isBad(key, true) || walk(inner[key])) return true;
      path.pop();
    }
    return false;
  };
  return walk(value) ? path : undefined;
}

/** Whether Postgres or UTF-8 cannot store a text: U+0000 or a lone surrogate. They occur only as \u escapes. */
export const isBrokenText = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
