import { newId } from '@eas/core';
import { platformDedupeKey } from '../inbound/dedupe-key.ts';
import { insertInboundEvents } from '../inbound/inbound-event.store.ts';
import { parseInboundJson } from './inbound-json.ts';
import { readPlatformEvent } from '../platform/platform-event.ts';
import { headerOf, type InboundRequest, type Receiver } from './receiver.ts';
import { verifySender } from './verify-sender.ts';

/**
 * Takes a body of the task platform: parsed, verified and stored once with its event when this returns.
 * AppError invalid_request for a body that does not fit, forbidden when no secret verifies.
 */
export async function receivePlatformEvent(receiver: Receiver, request: InboundRequest): Promise<void> {
  const { text, body: parsed } = parseInboundJson(request.raw);
  const { body, isKnown, externalId } = readPlatformEvent(parsed);
  const sender = await verifySender(receiver.platformCandidates, {
    raw: request.raw,
    signature: headerOf(request, 'x-signature'),
    keys: [body.webhook_id ?? null],
    takesUnsigned: request.takesUnsigned,
  });
  const row = {
    ...sender,
    id: newId('inboundEvent'),
    source: 'taskplatform' as const,
    event: body.event,
    externalId: externalId ?? null,
    dedupeKey: platformDedupeKey(body, text),
    body: text,
    receivedAt: receiver.clock.now(),
    status: isKnown ? ('received' as const) : ('quarantined' as const),
  };
  const outcome = await receiver.gather(insertInboundEvents, row, request.raw.length);
  receiver.onReceipt?.('taskplatform', outcome === 'stored' && !isKnown ? 'quarantined' : outcome);
}
