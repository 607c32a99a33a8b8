import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutChange } from './cut-change.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('');
const file = (changed: string) => `${lines(0, 3_000)}${changed}\n${lines(3_001, 6_000)}`;
const cut = (oldText: string, newText: string, length = 16_384) => cutChange({ path: 'a', oldText, newText }, length);

describe('a change of a file that is too long to be shown', () => {
  it('is shown with three lines before and after what differs', () => {
    const { oldText, newText } = cut(file('old'), file('new'));
    const head = '… 2997 equal lines, 28860 characters …\nline 2997\nline 2998\nline 2999\n';
    const tail = '\nline 3001\nline 3002\nline 3003\n… 2996 equal lines, 29960 characters …';
    expect(oldText).toBe(`${head}old${tail}`);
    expect(newText).toBe(`${head}new${tail}`);
  });

  it('is cut with a mark of the whole text where what differs is too long', () => {
    const long = (last: string) => 'y\n'.repeat(20_000) + last;
    const [one, other] = ['a', 'b'].map((last) => cut('', long(last)));
    expect(one?.newText).toHaveLength(16_384);
    expect(one?.newText).toMatch(/y\n+… \(cut, SHA-256 [0-9a-f]{64}\)$/);
    expect(one?.oldText).toBe('');
    expect(other).not.toEqual(one);
    expect(cut('', long('a'))).toEqual(one);
  });

  it('in one long line is shown with what is next to it', () => {
    const line = (at: number) => `${'x'.repeat(at)}y${'x'.repeat(100_000 - at)}`;
    const [one, other] = [40_000, 50_000].map((at) => cut('x'.repeat(100_000), line(at)));
    expect(one?.newText).toMatch(/^… 0 equal lines, 39000 characters …\nx{1000}yx+\n… 0 equal lines/);
    expect(other).not.toEqual(one);
  });

  it('that is short enough is as it was', () => {
    const change = { path: 'a', oldText: 'a\n'.repeat(100), newText: 'b' };
    expect(cutChange(change, 200)).toBe(change);
  });

  it('never equals another change with the same cut text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 40 }).map((parts) => parts.join(''));
    const length = fc.constantFrom(0, 5, 20, 200);
    fc.assert(
      fc.property(text, text, text, length, (before, one, other, most) => {
        const [cutOne, cutOther] = [cut(before, one, most), cut(before, other, most)];
        expect(cutOne.newText === cutOther.newText && cutOne.oldText === cutOther.oldText).toBe(one === other);
      }),
    );
  });

  it('keeps a text of 8 MB from holding up the thread', () => {
    for (const part of ['\n', 'x'])
      expect(cut(part.repeat(4_000_000), `${part.repeat(2_000_000)}y${part.repeat(2_000_000)}`).newText).toContain('y');
  });
});
