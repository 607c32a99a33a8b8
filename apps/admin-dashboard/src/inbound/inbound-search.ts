import { oneOf, readTexts } from '../resources/read-search.ts';
import { inboundStates, type InboundState } from './inbound-words.ts';

const texts = ['integration_id', 'event', 'external_id', 'received_after', 'received_before'] as const;

export type InboundFilters = Partial<Record<(typeof texts)[number], string>> & { state?: InboundState };

/** What the address of the list contains: its filters, and the replay whose progress is shown. */
export type InboundSearch = InboundFilters & { replay?: string };

export function readInboundSearch(search: Record<string, unknown>): InboundSearch {
  const state = oneOf(inboundStates, readTexts(search, ['state']).state);
  return { ...readTexts(search, [...texts, 'replay']), ...(state ? { state } : {}) };
}
