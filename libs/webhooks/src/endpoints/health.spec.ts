import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterAttempts, changeOf, type Health, probeGapMs } from './health.ts';

const now = new Date('2026-11-22T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const health = (status: string, failuresInRow: number, failingHours: number | null = null): Health => ({
  status,
  failuresInRow,
  failingSince: failingHours === null ? null : ago(failingHours),
});

describe('the status of an endpoint', () => {
  it.each<[string, Health, string | undefined]>([
    ['active without failures stays', health('active', 0), undefined],
    ['active after 4 failures stays', health('active', 4, 0.1), undefined],
    ['active after 5 failures in a row is failing', health('active', 5, 0.1), 'webhook.failing'],
    ['failing stays while it fails', health('failing', 99, 2), undefined],
    ['100 failures within an hour pause nothing', health('failing', 100, 0.99), undefined],
    ['100 failures spread over an hour pause it', health('failing', 100, 1), 'webhook.paused'],
    ['few failures pause it after 72 hours', health('failing', 9, 72), 'webhook.paused'],
    ['an active one is paused after 72 hours too', health('active', 2, 72), 'webhook.paused'],
    ['failing after a success is active', health('failing', 0), 'webhook.recovered'],
    ['paused after a success is active', health('paused', 0), 'webhook.recovered'],
    ['paused stays while probes fail', health('paused', 200, 100), undefined],
    ['disabled stays after a success', health('disabled', 0), undefined],
    ['disabled stays after failures', health('disabled', 500, 100), undefined],
  ])('%s', (_, state, type) => expect(changeOf(state, now)?.type).toBe(type));

  it('changes at most once for the same attempts', () => {
    const states = fc.record({
      status: fc.constantFrom('active', 'failing', 'paused', 'disabled'),
      failuresInRow: fc.nat(300),
      failingSince: fc.option(fc.double({ min: 0, max: 200, noNaN: true }).map(ago)),
    });
    fc.assert(
      fc.property(states, (state) => {
        const change = changeOf(state, now);
        if (change) expect(changeOf({ ...state, status: change.status }, now)).not.toEqual(change);
      }),
    );
  });
});

describe('attempts', () => {
  const before = health('failing', 7, 3);

  it('add failures to the streak and keep its beginning', () => {
    const tally = { succeededAt: null, failures: 2, firstFailedAt: now };
    expect(afterAttempts(before, tally)).toEqual({ status: 'failing', failuresInRow: 9, failingSince: ago(3) });
  });

  it('begin a streak at the first failure', () => {
    const tally = { succeededAt: null, failures: 1, firstFailedAt: now };
    expect(afterAttempts(health('active', 0), tally)).toMatchObject({ failuresInRow: 1, failingSince: now });
  });

  it('end the streak with a success that is newer than its beginning; later failures begin another', () => {
    const success = { succeededAt: now, failures: 0, firstFailedAt: null };
    expect(afterAttempts(before, success)).toMatchObject({ failuresInRow: 0, failingSince: null });
    const old = { succeededAt: ago(4), failures: 0, firstFailedAt: null };
    expect(afterAttempts(before, old)).toEqual(before);
    const mixed = { succeededAt: now, failures: 3, firstFailedAt: now };
    expect(afterAttempts(before, mixed)).toMatchObject({ failuresInRow: 3, failingSince: now });
  });
});

it('probes of a paused endpoint come after 5, 10, 20, 40 minutes, then every hour', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((probes) => probeGapMs(probes) / 60_000)).toEqual([5, 10, 20, 40, 60, 60, 60]);
});
