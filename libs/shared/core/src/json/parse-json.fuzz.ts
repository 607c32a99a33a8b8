import { isDeepStrictEqual } from 'node:util';
import type { FuzzTarget } from '@eas/testing/fuzz';
import { jsonLimits, parseJson } from './parse-json.ts';

/** What JSON.parse makes of the bytes if they are UTF-8; undefined if they are not JSON. */
function reference(bytes: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return undefined;
  }
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

export const fuzz: FuzzTarget = {
  name: 'JSON',
  corpus: [
    '{"a":[1,-2.5e3,"\\u00e9\\n",true,false,null],"b":{"c":{}}}',
    '[]',
    '"\u{1f600}"',
    ' {"__proto__":{"x":1}} ',
  ],
  check(input) {
    const expected = reference(input);
    const parsed = parseJson(input);
    if (!parsed.problem) {
      if (!expected || !isDeepStrictEqual(parsed.value, expected.value)) throw new Error('other than JSON.parse');
      return;
    }
    const isLimit = parsed.problem === 'too_deep' || parsed.problem === 'too_many_members';
    if (!isLimit && expected) throw new Error(`refused as ${parsed.problem}, which JSON.parse takes`);
    if (parsed.problem === 'too_deep' && expected && depthOf(expected.value) <= jsonLimits.maxDepth)
      throw new Error('refused as too deep, which it is not');
  },
};
