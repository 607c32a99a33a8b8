import type { ChatRefusal } from '@eas/chat';
import type { Metrics } from '@eas/runtime';

/** Registers the metrics of receipts. Once per registry. */
export function countReceipts(metrics: Metrics) {
  const receipts = metrics.counter('eas_inbound_receipts_total');
  const refused = metrics.counter('eas_chat_requests_refused_total');
  return {
    onReceipt: (source: string, outcome: string) => receipts.inc({ source, outcome }),
    onRefusal: (reason: ChatRefusal) => refused.inc({ reason }),
  };
}
