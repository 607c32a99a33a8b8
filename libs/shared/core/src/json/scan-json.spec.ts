import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scanJson, wantedTexts } from './scan-json.ts';

const limits = { maxDepth: 32, maxMembers: 20_000 };
const wanted = wantedTexts('id', 'a.b', 'a.c.d');
const foundIn = (text: string) => Object.fromEntries(scanJson(Buffer.from(text), limits, wanted).found);

function textAt(value: unknown, path: string): unknown {
  let inner = value;
  for (const key of path.split('.')) {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner) || !Object.hasOwn(inner, key))
      return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return typeof inner === 'string' ? inner : undefined;
}

function depthOf(value: unknown): number {
  return value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
function membersOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value);
  return 1 + Math.max(0, inner.length - 1) + inner.reduce<number>((sum, one) => sum + membersOf(one), 0);
}

const key = fc.constantFrom('id', 'a', 'b', 'c', 'd', 'x', 'é', '"', '\\', '[{,');
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(null, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));

describe('scanJson', () => {
  it('finds the texts, depth and members of the value that was written, however the text is laid out', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', '\t', '\n'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (const { path } of wanted) expect([path, foundIn(text)[path]]).toEqual([path, textAt(value, path)]);
        const [depth, members] = [depthOf(value), 1 + membersOf(value)];
        const problemWithin = (maxDepth: number, maxMembers: number) =>
          scanJson(Buffer.from(text), { maxDepth, maxMembers }).problem;
        expect(problemWithin(depth, members)).toBeUndefined();
        if (depth > 0) expect(problemWithin(depth - 1, members)).toBe('too_deep');
        if (members > 1) expect(problemWithin(depth, members - 1)).toBe('too_many_members');
      }),
    );
  });

  it('takes the last of a repeated key, as a parser does', () => {
    expect(foundIn('{"id":"one","id":"two"}')).toEqual({ id: 'two' });
  });

  it('finds texts in what is no longer JSON, and never throws', () => {
    expect(foundIn('{"id":"one","event":')).toEqual({ id: 'one' });
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void scanJson(Buffer.from(bytes), limits, wanted)));
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\a ') }), (text) => void foundIn(text)));
  });

  it('names the outermost key below which it is too deep', () => {
    const text = `{"a":1,"b":${'['.repeat(100_000)}`;
    expect(scanJson(Buffer.from(text), limits)).toMatchObject({ problem: 'too_deep', key: 'b' });
    expect(scanJson(Buffer.from('['.repeat(33)), limits)).toMatchObject({ problem: 'too_deep', key: undefined });
  });

  it('counts no brackets and commas inside of texts', () => {
    expect(scanJson(Buffer.from(`["${',[{'.repeat(100_000)}\\",\\\\"]`), limits).problem).toBeUndefined();
  });
});
