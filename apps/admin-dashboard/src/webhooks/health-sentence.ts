import type { Webhook } from './webhook-words.ts';

type Health = Pick<Webhook, 'failures_in_row' | 'last_success_at'> & { status: string };

const sentences: Readonly<Record<string, string>> = {
  failing: 'Attempts have been failing. Deliveries are tried again with growing waits.',
  paused: 'Deliveries are kept, and the service tests the address until it works again.',
  disabled: 'Nothing is sent. Enable the webhook to send again.',
};

/** What the status of a webhook means for its deliveries; undefined for an unknown status. */
export function healthSentence(health: Health): string | undefined {
  if (health.status !== 'active') return sentences[health.status];
  if (health.failures_in_row > 0) return 'The last attempts failed. Deliveries are tried again.';
  return health.last_success_at === null ? 'Nothing has been delivered yet.' : 'Deliveries succeed.';
}
