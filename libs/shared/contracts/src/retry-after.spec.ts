import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-11-26T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    [['7', '9'], 7_000],
    ['99999999999999999999', 86_400_000],
    ['Thu, 26 Nov 2026 12:01:00 GMT', 60_000],
    ['Thu, 26 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 27 Nov 2099 12:00:00 GMT', 86_400_000],
  ])('reads %j in ms', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });

  it.each([undefined, null, '', [], 'soon', '-1', '1.5', '1e3', '2026-11-26T12:01:00Z'])('ignores %j', (header) => {
    expect(readRetryAfter(header as never, now)).toBeUndefined();
  });
});
