import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DiffLine, diffLines } from './diff-lines.ts';

const shown = (hunks: DiffLine[][]) =>
  hunks.map((lines) => lines.map(({ kind, number, text }) => `${number} ${kind} ${text}`));

describe('the lines of a change', () => {
  it('have the numbers of the file as it is, and as it was for those that are gone', () => {
    expect(shown(diffLines('a\nb\nc\nd\n', 'a\nx\ny\nc\nd\n'))).toEqual([
      ['1 same a', '2 removed b', '2 added x', '3 added y', '4 same c', '5 same d'],
    ]);
  });

  it('are those of a new file, of a removed one, and none where nothing changed', () => {
    expect(shown(diffLines('', 'a\nb'))).toEqual([['1 added a', '2 added b']]);
    expect(shown(diffLines('a\n', ''))).toEqual([['1 removed a']]);
    expect(diffLines('a', 'a')).toEqual([]);
  });

  it('are in hunks with three lines around each', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `${at + 1}`);
    const changed = lines.map((line) => (line === '5' || line === '25' ? `${line}!` : line));
    const hunks = diffLines(lines.join('\n'), changed.join('\n'));
    expect(hunks.map((hunk) => [hunk[0]?.number, hunk.length])).toEqual([
      [2, 8],
      [22, 8],
    ]);
  });

  it('contain the new file: unchanged and added lines with their numbers', () => {
    const file = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(file, file, (before, now) => {
        for (const { kind, number, text } of diffLines(before, now).flat())
          expect((kind === 'removed' ? before : now).split('\n')[number - 1]).toBe(text);
      }),
    );
  });
});
