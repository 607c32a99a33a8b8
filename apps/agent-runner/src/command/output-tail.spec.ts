import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTail } from './output-tail.ts';

const tailOf = (chunks: readonly string[], maxBytes: number) => {
  const tail = createTail(maxBytes);
  for (const chunk of chunks) tail.add(Buffer.from(chunk));
  return tail.text();
};

describe('the tail of an output', () => {
  it('is all of a short one, and whole lines of a long one', () => {
    expect(tailOf(['a\n', 'b'], 10)).toBe('a\nb');
    expect(tailOf(['first\n', 'second\n', 'third\n'], 10)).toBe('third\n');
    expect(tailOf(['x'.repeat(50)], 10)).toBe('x'.repeat(10));
  });

  it('is the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z\n]{0,20}$/)), fc.integer({ min: 1, max: 40 }), (chunks, max) => {
        const tail = tailOf(chunks, max);
        expect(tail).toBe(tailOf([chunks.join('')], max));
        expect(chunks.join('').endsWith(tail) && tail.length <= max).toBe(true);
      }),
    );
  });
});
