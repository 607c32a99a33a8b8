import { describe, expect, it } from '@jest/globals';
import { lastLines } from './last-lines.ts';

describe('the last lines', () => {
  it('are limited to a number, without empty ones', () => {
    const last = lastLines(2);
    for (const line of ['a', ' ', 'b', '', 'c'.repeat(600)]) last.add(line);
    expect(last.lines()).toEqual(['b', 'c'.repeat(500)]);
  });
});
