import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatHours, formatTimestamp } from './clock.ts';

const year = (text: string) => new Date(`${text}-01-01T00:00:00Z`);

describe('formatTimestamp', () => {
  it.each([
    ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00Z'],
    ['2026-11-20T10:00:00.120Z', '2026-11-20T10:00:00.120Z'],
    ['2026-11-20T10:00:00.001Z', '2026-11-20T10:00:00.001Z'],
    ['2026-11-20T12:00:00+02:00', '2026-11-20T10:00:00Z'],
  ])('writes %s as %s', (text, written) => expect(formatTimestamp(new Date(text))).toBe(written));

  it('is in UTC, has a fraction only when it is not zero, and loses nothing', () => {
    const moment = fc.date({ min: year('0000'), max: year('9999'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, (date) => {
        const text = formatTimestamp(date);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
        expect(text.includes('.')).toBe(date.getTime() % 1_000 !== 0);
        expect(Date.parse(text)).toBe(date.getTime());
      }),
    );
  });
});

describe('formatHours', () => {
  it.each([
    [0, '0h'],
    [179_999, '0h'],
    [180_000, '0.1h'],
    [3_600_000, '1h'],
    [5_400_000, '1.5h'],
    [86_400_000, '24h'],
    [8_640_000_000, '2400h'],
  ])('writes %d ms as %s', (durationMs, text) => expect(formatHours(durationMs)).toBe(text));

  it('has the form <number>h with one decimal at most and is off by no more than three minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (durationMs) => {
        const text = formatHours(durationMs);
        expect(text).toMatch(/^\d+(\.\d)?h$/);
        expect(Math.abs(Number(text.slice(0, -1)) * 3_600_000 - durationMs)).toBeLessThanOrEqual(180_001);
      }),
    );
  });
});
