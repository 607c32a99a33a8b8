import type { OnAttempt } from '@eas/outbound';
import type { Metrics } from '@eas/runtime';

/** Registers the metrics of chat messages. Once per registry. */
export function countPosts(metrics: Metrics): OnAttempt<unknown> {
  const posts = metrics.histogram('eas_chat_post_seconds');
  const failed = metrics.counter('eas_chat_messages_failed_total');
  return ({ outcome, state, durationMs }) => {
    posts.observe({ outcome }, durationMs / 1_000);
    if (state === 'failed') failed.inc();
  };
}
