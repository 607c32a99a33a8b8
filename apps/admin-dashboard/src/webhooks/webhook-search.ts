import { oneOf, readTexts } from '../resources/read-search.ts';
import { deliveryStatuses, type DeliveryStatus } from './webhook-words.ts';

const texts = ['event_type', 'event_id', 'reason', 'created_after', 'created_before'] as const;

/** What the address of a webhook contains: the filters of its delivery log. */
export type DeliverySearch = Partial<Record<(typeof texts)[number], string>> & { status?: DeliveryStatus };

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const status = oneOf(deliveryStatuses, readTexts(search, ['status']).status);
  return { ...readTexts(search, texts), ...(status ? { status } : {}) };
}

export type WebhookListSearch = { new?: true };
export const readWebhookListSearch = (search: Record<string, unknown>): WebhookListSearch =>
  search['new'] === true ? { new: true } : {};
