import { expect, it } from '@jest/globals';
import { healthSentence } from './health-sentence.ts';

const at = '2026-11-20T10:00:00Z';

it.each([
  ['active', 0, at, 'Deliveries succeed.'],
  ['active', 0, null, 'Nothing has been delivered yet.'],
  ['active', 2, at, 'The last attempts failed. Deliveries are tried again.'],
  ['active', 1, null, 'The last attempts failed. Deliveries are tried again.'],
  ['disabled', 0, at, 'Nothing is sent. Enable the webhook to send again.'],
])(
  'a webhook that is %s with %i failures in a row, and last delivered %s: %s',
  (status, failures, success, sentence) => {
    expect(healthSentence({ status, failures_in_row: failures, last_success_at: success })).toBe(sentence);
  },
);

it('an unknown status has no sentence', () => {
  expect(healthSentence({ status: 'resting', failures_in_row: 0, last_success_at: at })).toBeUndefined();
});
