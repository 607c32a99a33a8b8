import { describe, expect, it } from '@jest/globals';
import { quantileOf, sizesOf } from './sizes.ts';

const text = `// A file.
import { a } from './a.ts';

/**
 * What it does.
 */
export function long(): number {
  const inner = () => {
    return a * 2;
  };
  return inner(); // not a line of comment
}

export const short = (list: number[]) => list.map((one) => one + 1);
`;

describe('sizesOf', () => {
  it('counts lines that are not empty, functions with a body, and lines of comment alone', () => {
    expect(sizesOf(text)).toEqual({ lines: 12, functions: [6, 3], commentLines: 4 });
  });

  it('does not take a product or a generator for a comment', () => {
    expect(sizesOf('const a = 2\n  * 3;\nclass B {\n  *all() {}\n}\n').commentLines).toBe(0);
  });
});

describe('quantileOf', () => {
  it('returns the value that this share does not exceed', () => {
    expect(quantileOf([5, 1, 4, 2, 3, 6, 7, 8, 9, 10], 0.9)).toBe(9);
    expect(quantileOf([], 0.5)).toBe(0);
  });
});
