import { expect, it } from '@jest/globals';
import { relativeTime } from './times.ts';

const now = Date.parse('2026-11-20T10:00:00Z');

it.each([
  ['2026-11-20T10:00:59Z', 'now'],
  ['2026-11-20T09:59:30Z', 'now'],
  ['2026-11-20T09:55:00Z', '5 min. ago'],
  ['2026-11-20T12:30:00Z', 'in 2 hr.'],
  ['2026-11-19T09:00:00Z', 'yesterday'],
  ['2026-10-01T10:00:00Z', 'last mo.'],
  ['2024-11-20T10:00:00Z', '2 yr. ago'],
])('shows %s as %s', (timestamp, text) => {
  expect(relativeTime(timestamp, now)).toBe(text);
});
