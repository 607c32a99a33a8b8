import { describe, expect, it } from '@jest/globals';
import { figure } from '../resources/usage/usage-words.ts';
import { bytesText, percentText, secondsText, usdText } from './amounts.ts';

describe('amounts of the system', () => {
  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [1_023, '1,023 B'],
    [1_024, '1 KiB'],
    [1_234, '1.21 KiB'],
    [734_003_200, '700 MiB'],
    [1_000_000_000, '954 MiB'],
    [5e15, '4,547 TiB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it('are short and exact enough to compare', () => {
    expect([figure(61_300), secondsText(96_540), percentText(0.426), usdText(612.4)]).toEqual([
      '61,300',
      '96.5 s',
      '43%',
      '612.40',
    ]);
  });
});
