import { describe, expect, it } from '@jest/globals';
import { reasonOf } from './receipt.ts';

describe('the reason of a receipt', () => {
  it.each([
    ['failed', 'too_large: 501 history items, limit 500', 'too_large'],
    ['failed', 'gave_up: failed ten times', 'gave_up'],
    ['failed', 'The task has too many comments: 10000.', 'refused'],
    ['failed', null, 'refused'],
    ['ignored', 'nothing newer than the stored state', 'not_newer'],
    ['ignored', 'deleted on the platform at 2026-11-20T10:00:00Z', 'not_newer'],
    ['ignored', 'other_repository: acme/web', 'other_repository'],
    ['quarantined', null, 'unknown_event'],
    ['applied', 'created tsk_1', null],
    ['received', null, null],
  ] as const)('of one that is %s with %j is %j', (status, outcome, reason) => {
    expect(reasonOf({ status, outcome })).toBe(reason);
  });
});
