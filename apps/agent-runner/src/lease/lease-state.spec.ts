import { describe, expect, it } from '@jest/globals';
import { beatMs, type LeaseUpdate, type LeaseState, stateAfter } from './lease-state.ts';

const dateMs = Date.parse('2026-11-21T16:00:00Z');
const update = (more: Partial<LeaseUpdate> = {}): LeaseUpdate => ({
  verb: 'heartbeat',
  status: 200,
  expiresAt: '2026-11-21T16:01:00Z',
  field: undefined,
  constraint: undefined,
  sentAtMs: 5_000,
  dateMs,
  ...more,
});
const running: LeaseState = { kind: 'running', untilMs: 10_000, lengthMs: 60_000 };
const parked: LeaseState = { kind: 'parked' };
const refused = (status: number, constraint?: string) => update({ status, constraint, expiresAt: undefined });

describe('the lease as the runner knows it', () => {
  it('runs from the moment of the call, by the clock of the service', () => {
    expect(stateAfter(running, update())).toEqual({ kind: 'running', untilMs: 65_000, lengthMs: 60_000 });
  });

  it('is not shortened by a response that comes late', () => {
    const later: LeaseState = { kind: 'running', untilMs: 70_000, lengthMs: 60_000 };
    expect(stateAfter(later, update())).toBe(later);
  });

  it('is parked when it has no end, and runs again when it has one', () => {
    expect(stateAfter(running, update({ expiresAt: null }))).toEqual(parked);
    expect(stateAfter(parked, update())).toMatchObject({ kind: 'running' });
  });

  it('is answered but without a slot when the agent holds its maximum of tasks', () => {
    expect(stateAfter(parked, refused(409, 'limit'))).toEqual({ kind: 'answered' });
    expect(stateAfter({ kind: 'answered' }, update())).toMatchObject({ kind: 'running' });
    expect(stateAfter(running, refused(409, 'limit'))).toBe(running);
    expect(stateAfter(parked, { ...refused(409, 'limit'), field: 'wait_seconds' })).toBe(parked);
  });

  it('is lost when the service says so, and for good', () => {
    const lost = stateAfter(running, refused(409, 'lease_lost'));
    expect(lost).toEqual({ kind: 'lost', reason: 'the lease is lost' });
    expect(stateAfter(lost, update())).toBe(lost);
  });

  it.each([401, 403, 404])('is lost when it may not be renewed any more: %s', (status) => {
    expect(stateAfter(running, { ...refused(status), verb: 'heartbeat' }).kind).toBe('lost');
    expect(stateAfter(running, { ...refused(status), verb: 'artifacts' })).toBe(running);
  });

  it.each([
    [400, 'max'],
    [409, 'state'],
    [409, 'contract'],
    [413, 'max_size'],
  ])('stays with %s %s', (status, constraint) => {
    expect(stateAfter(running, refused(status, constraint))).toBe(running);
  });

  it('is renewed three times in its length, or at the polling interval for answers', () => {
    expect([beatMs(running, 5_000), beatMs(running, 60_000), beatMs(parked, 5_000)]).toEqual([5_000, 20_000, 5_000]);
  });
});
