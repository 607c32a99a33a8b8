import type { PlatformEvent } from '@eas/contracts';
import { digest } from '@eas/receiving';

/**
 * What only a receipt and its repeats share: webhook, event and first history item; for comments the body too, because
 * an edited comment keeps the item's id. Null without such an id: two equal bodies may be two real changes.
 */
export function platformDedupeKey(body: PlatformEvent, text: string): string | null {
  const first = body.history_items?.[0];
  const itemId = first?.id ?? undefined;
  if (itemId === undefined || itemId === '') return null;
  const isComment = first?.field === 'comment' || body.event.startsWith('taskComment');
  return digest([body.webhook_id ?? '', body.event, String(itemId), isComment ? digest([text]) : '']);
}
