import { expect, it } from '@jest/globals';
import { relativeTime, shortTime } from './times.ts';

/** In the zone of the viewer, whatever it is. */
const at = (text: string): string => new Date(text).toISOString();
const now = Date.parse('2026-11-20T10:00:00');

it.each([
  ['2026-11-20T10:00:59', 'now'],
  ['2026-11-20T09:59:30', 'now'],
  ['2026-11-20T09:55:00', '5 min. ago'],
  ['2026-11-20T12:30:00', 'in 2 hr.'],
  ['2026-11-21T09:30:00', 'in 23 hr.'],
  ['2026-11-21T10:30:00', 'tomorrow'],
  ['2026-11-22T09:00:00', 'in 2 days'],
  ['2026-11-22T23:00:00', 'in 2 days'],
  ['2026-11-19T09:00:00', 'yesterday'],
  ['2026-11-18T23:00:00', '2 days ago'],
  ['2026-11-30T10:00:00', 'in 10 days'],
  ['2026-10-01T10:00:00', '50 days ago'],
  ['2026-09-19T10:00:00', '2 mo. ago'],
  ['2027-12-01T10:00:00', 'in 12 mo.'],
  ['2024-11-20T10:00:00', '2 yr. ago'],
])('shows %s as %s', (timestamp, text) => {
  expect(relativeTime(at(timestamp), now)).toBe(text);
});

it('an exact time in a list has the date and the time to the second only', () => {
  expect(shortTime(at('2026-11-20T09:05:07'))).toMatch(/^[\d/.\-]{8,12}, 09:05:07$/);
});
