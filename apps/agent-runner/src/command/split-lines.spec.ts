import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitLines } from './split-lines.ts';

async function linesOf(chunks: Iterable<Buffer>, maxBytes?: number): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const some of splitLines(stream(), maxBytes)) lines.push(...some);
  return lines;
}

describe('lines of a stream', () => {
  it('are the same however the bytes are cut', async () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme' }).filter((line) => !/[\r\n]/.test(line) && line.isWellFormed()),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (lines, size) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const count = Math.ceil(bytes.length / size);
        const chunks = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
        expect(await linesOf(chunks)).toEqual(lines);
      }),
    );
  });

  it('end with the stream, and with Windows’ ends of lines too', async () => {
    expect(await linesOf([Buffer.from('a\r\n\nb')])).toEqual(['a', '', 'b']);
  });

  it('are cut where they are too long, and the next one is whole', async () => {
    expect(await linesOf([Buffer.from('abcdef'), Buffer.from('ghi\nxy\n')], 4)).toEqual(['abcd', 'xy']);
  });
});
