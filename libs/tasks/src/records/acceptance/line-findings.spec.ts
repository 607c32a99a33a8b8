import { describe, expect, it } from '@jest/globals';
import { lineFindingsOf, reviewText } from './line-findings.ts';

const good = { path: 'src/a.ts', line: 12, body: 'A Map is better.' };

describe('findings on lines', () => {
  it.each([
    ['as they are', [good, { path: 'b.ts', body: 'x' }], [good, { path: 'b.ts', body: 'x' }]],
    ['without what is none', [good, null, 'x', { path: 1, body: 'x' }, { path: 'b.ts', line: 1.5, body: 'x' }], [good]],
    ['none of a text', 'No test.', []],
    ['none of nothing', undefined, []],
    ['at most 100', Array(101).fill(good), Array(100).fill(good)],
  ])('are read %s', (_, given, read) => expect(lineFindingsOf(given)).toEqual(read));

  it('are listed below the comment, up to the maximum length of a message', () => {
    expect(reviewText('No test.', [good])).toBe('No test.\n\nsrc/a.ts:12\nA Map is better.');
    expect(reviewText('No test.', Array(10).fill({ ...good, body: 'x'.repeat(8_192) }))).toHaveLength(65_536);
  });
});
