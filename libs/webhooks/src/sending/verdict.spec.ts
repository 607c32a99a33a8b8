import { describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '@eas/outbound';
import fc from 'fast-check';
import { defaultRetrySeconds, judge } from './verdict.ts';

const now = new Date('2026-11-21T10:00:00Z');
const scheduleMs = defaultRetrySeconds.map((seconds) => seconds * 1_000);
const policy = { scheduleMs, random: () => 0 };
const result = (status: number, headers = {}): OutboundResult => {
  return { kind: 'response', status, headers, body: Buffer.alloc(0), durationMs: 1 };
};
const failure = (reason: string): OutboundResult => ({ kind: 'failure', reason, message: reason, durationMs: 1 });
const delay = (result: OutboundResult, number = 1) => {
  const verdict = judge(result, { number, at: now }, policy);
  return verdict.state === 'waiting' ? verdict.afterMs : verdict.state;
};

describe('verdict on an attempt', () => {
  it.each([200, 201, 202, 204, 299])('delivers at %d', (status) => {
    expect(judge(result(status), { number: 1, at: now }, policy)).toEqual({ outcome: 'delivered', state: 'sent' });
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 500, 503])('retries at %d', (status) => {
    expect(delay(result(status))).toBe(5_000);
  });

  it('waits along the schedule, then has failed', () => {
    const waits = Array.from({ length: 10 }, (_, index) => delay(result(500), index + 1));
    expect(waits).toEqual([...scheduleMs, 'failed']);
  });

  it('ends the endpoint at 410, at any attempt', () => {
    const gone = { outcome: 'http_4xx', state: 'failed', isGone: true };
    expect(judge(result(410), { number: 1, at: now }, policy)).toEqual(gone);
    expect(judge(result(410), { number: 10, at: now }, policy)).toEqual(gone);
    expect(judge(result(500), { number: 10, at: now }, policy)).toEqual({ outcome: 'http_5xx', state: 'failed' });
  });

  const timeouts = ['timeout_connect', 'timeout_headers', 'timeout_body'].map(failure);
  it.each([result(429), result(502), result(504), ...timeouts])(
    'pauses a minute for an overloaded receiver',
    (result) => {
      expect(delay(result)).toBe(60_000);
      expect(delay(result, 3)).toBe(1_800_000);
    },
  );

  it.each(['refused', 'dns', 'tls', 'reset', 'blocked_target'])('waits along the schedule after %s', (reason) => {
    expect(delay(failure(reason))).toBe(5_000);
  });

  it('honours Retry-After, up to a day, and never shortens a wait for it', () => {
    expect(delay(result(503, { 'retry-after': '120' }))).toBe(120_000);
    expect(delay(result(503, { 'retry-after': ['7'] }))).toBe(7_000);
    expect(delay(result(503, { 'retry-after': 'Sat, 21 Nov 2026 10:10:00 GMT' }))).toBe(600_000);
    expect(delay(result(503, { 'retry-after': '999999999999' }))).toBe(86_400_000);
    expect(delay(result(503, { 'retry-after': '1' }))).toBe(5_000);
    expect(delay(result(503, { 'retry-after': '1' }), 2)).toBe(300_000);
  });

  it.each(['', 'soon', '-5', '1e99', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores Retry-After "%s"', (text) => {
    expect(delay(result(503, { 'retry-after': text }))).toBe(5_000);
  });

  it('adds 0 to 20 % to every wait and never shortens it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (number, random) => {
        const verdict = judge(result(500), { number, at: now }, { scheduleMs, random: () => random });
        const waitMs = scheduleMs[number - 1] ?? 0;
        expect(verdict.state).toBe('waiting');
        expect(verdict.afterMs).toBeGreaterThanOrEqual(waitMs);
        expect(verdict.afterMs).toBeLessThanOrEqual(waitMs * 1.2);
      }),
    );
  });
});
