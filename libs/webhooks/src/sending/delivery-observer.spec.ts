import { describe, expect, it } from '@jest/globals';
import { latenessOf } from './delivery-observer.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const delivery = { attempts: 0, createdAt: at(0), dueAt: at(0), reason: null };

describe('the lateness of an attempt', () => {
  it('is the wait in the queue since it was due', () => {
    expect(latenessOf(delivery, at(2))).toEqual({ cause: 'queue', lateMs: 2_000 });
    expect(latenessOf({ ...delivery, attempts: 1, dueAt: at(5) }, at(6))).toEqual({ cause: 'retry', lateMs: 1_000 });
  });

  it.each([
    ['throttled', 'rate_limit'],
    ['ordered', 'ordering'],
    ['recovered', 'paused'],
  ])('counts from the beginning where the first attempt was put off: %s is %s', (reason, cause) => {
    expect(latenessOf({ ...delivery, dueAt: at(8), reason }, at(9))).toEqual({ cause, lateMs: 9_000 });
  });

  it('is never negative', () => {
    expect(latenessOf({ ...delivery, dueAt: at(5) }, at(4)).lateMs).toBe(0);
  });
});
