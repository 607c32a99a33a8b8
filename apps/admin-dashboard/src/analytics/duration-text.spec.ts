import { expect, it } from '@jest/globals';
import { durationText } from './duration-text.ts';

it('a duration is shown in the largest unit of which there are two', () => {
  const texts = [0, 119, 120, 7_199, 7_200, 12_600, 172_800, 10_000_000].map(durationText);
  expect(texts).toEqual(['0 s', '119 s', '2 min', '120 min', '2 h', '3.5 h', '2 d', '115.7 d']);
  expect([durationText(null), durationText(undefined)]).toEqual(['–', '–']);
});
