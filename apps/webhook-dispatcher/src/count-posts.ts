import type { ChatPosting } from '@eas/integrations';
import type { Metrics } from '@eas/runtime';

const postBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Registers the metrics of chat messages. Once per registry. */
export function countPosts(metrics: Metrics): NonNullable<ChatPosting['onPost']> {
  const posts = metrics.histogram({
    name: 'eas_chat_post_seconds',
    help: 'Duration of posts to chats by outcome (posted, limited, retry, refused, stop).',
    labelNames: ['outcome'],
    buckets: postBuckets,
  });
  const failed = metrics.counter({
    name: 'eas_chat_messages_failed_total',
    help: 'Chat messages that were refused or failed their last attempt.',
  });
  return ({ outcome, state, durationMs }) => {
    posts.observe({ outcome }, durationMs / 1_000);
    if (state === 'failed') failed.inc();
  };
}
