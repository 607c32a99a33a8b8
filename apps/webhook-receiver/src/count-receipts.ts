import type { ChatRefusal } from '@eas/integrations';
import type { Metrics } from '@eas/runtime';

/** Registers the metrics of receipts. Once per registry. */
export function countReceipts(metrics: Metrics) {
  const receipts = metrics.counter({
    name: 'eas_inbound_receipts_total',
    help: 'Verified inbound webhooks by source and result.',
    labelNames: ['source', 'outcome'],
  });
  const refused = metrics.counter({
    name: 'eas_chat_requests_refused_total',
    help: 'Requests of chats without effect by reason (unsigned, timestamp, signature, unknown_integration, malformed, repeated, not_ours).',
    labelNames: ['reason'],
  });
  return {
    onReceipt: (source: string, outcome: string) => receipts.inc({ source, outcome }),
    onRefusal: (reason: ChatRefusal) => refused.inc({ reason }),
  };
}
