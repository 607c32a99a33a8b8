import { describe, expect, it } from '@jest/globals';
import { performancePeriods } from '@eas/contracts';
import fc from 'fast-check';
import { startOfPeriod } from './period.ts';

const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
const period = fc.constantFrom(...performancePeriods);
const dayMs = 86_400_000;

/** What distinguishes a period from its neighbours, computed another way than the code does. */
const label = {
  day: (at: Date) => at.toISOString().slice(0, 10),
  week: (at: Date) => String(Math.floor((at.getTime() + 3 * dayMs) / (7 * dayMs))),
  month: (at: Date) => at.toISOString().slice(0, 7),
  quarter: (at: Date) => `${at.getUTCFullYear()} ${['1', '2', '3', '4'][Math.floor(at.getUTCMonth() / 3)]}`,
  year: (at: Date) => at.toISOString().slice(0, 4),
};

describe('startOfPeriod', () => {
  it.each([
    ['day', '2026-11-21T06:45:00Z', '2026-11-21T00:00:00.000Z'],
    ['week', '2026-11-22T23:59:59Z', '2026-11-16T00:00:00.000Z'],
    ['week', '2026-01-01T00:00:00Z', '2025-12-29T00:00:00.000Z'],
    ['month', '2024-02-29T12:00:00Z', '2024-02-01T00:00:00.000Z'],
    ['quarter', '2026-12-31T23:59:59.999Z', '2026-10-01T00:00:00.000Z'],
    ['year', '2026-11-21T06:45:00Z', '2026-01-01T00:00:00.000Z'],
  ] as const)('gives the %s of %s as %s', (name, at, start) => {
    expect(startOfPeriod(name, new Date(at)).toISOString()).toBe(start);
  });

  it('is the earliest moment of the same period, at midnight UTC', () => {
    fc.assert(
      fc.property(period, moment, (name, at) => {
        const start = startOfPeriod(name, at);
        expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(start.getTime() % dayMs).toBe(0);
        expect(label[name](start)).toBe(label[name](at));
        expect(label[name](new Date(start.getTime() - 1))).not.toBe(label[name](at));
      }),
    );
  });

  it('is its own start', () => {
    fc.assert(
      fc.property(period, moment, (name, at) => {
        const start = startOfPeriod(name, at);
        expect(startOfPeriod(name, start)).toEqual(start);
      }),
    );
  });
});
