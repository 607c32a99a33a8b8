import { currentTraceparent, jsonLimits, type JsonScan, newId, scanJson, wantedTexts } from '@eas/core';
import {
  headerOf,
  type InboundRequest,
  insertInboundEvents,
  type LookUp,
  parseInboundJson,
  platformDedupeKey,
  type Receiver,
  requireSignature,
  verifySender,
} from '@eas/receiving';
import { readPlatformEvent } from './changes/platform-event.ts';

/** What is known before the body has come. */
type InboundHead = Omit<InboundRequest, 'raw'>;

const partsOf = (head: InboundHead) => ({
  signature: headerOf(head, 'x-signature'),
  takesUnsigned: head.takesUnsigned && head.integrationId === undefined,
});

/** Throws AppError forbidden for a body of the task platform that cannot be taken, whatever it is. */
export const admitPlatformEvent = (head: InboundHead): void => requireSignature(partsOf(head));

/** Stored once with its event on return. Throws forbidden when no secret verifies, invalid_request for a misfit. */
export async function receivePlatformEvent(receiver: Receiver, request: InboundRequest): Promise<void> {
  const { raw } = request;
  const scan = scanJson(raw, jsonLimits, webhookId);
  const lookUps = lookUpsOf(receiver, request.integrationId, scan.found.get('webhook_id'));
  const sender = await verifySender({ ...partsOf(request), raw, lookUps, sightings: receiver.sightings });
  const [id, receivedAt, traceparent] = [newId('inboundEvent'), receiver.clock.now(), currentTraceparent()];
  const receipt = { ...sender, ...readReceipt(raw, scan), id, receivedAt, traceparent };
  const outcome = await receiver.gather(insertInboundEvents, receipt, raw.length);
  const isQuarantined = outcome === 'stored' && receipt.status === 'quarantined';
  receiver.onReceipt?.('taskplatform', isQuarantined ? 'quarantined' : outcome);
}

/** What is kept of a body. The parsed body itself is not: many wait for a statement at the same time. */
function readReceipt(raw: Buffer, scan: JsonScan) {
  const { text, bytes, body: parsed } = parseInboundJson(raw, scan);
  const { body, isKnown, externalId } = readPlatformEvent(parsed);
  return {
    source: 'taskplatform' as const,
    event: body.event,
    externalId: externalId ?? null,
    dedupeKey: platformDedupeKey(body, text),
    body: bytes,
    status: isKnown ? ('received' as const) : ('quarantined' as const),
  };
}

const webhookId = wantedTexts('webhook_id');

/** Integrations that name the webhook come first; where a body names none, any of them may be meant. */
function lookUpsOf({ candidates }: Receiver, integrationId: string | undefined, webhook: string | undefined): LookUp[] {
  if (integrationId !== undefined)
    return [{ in: candidates.ofPlatformAddress, key: integrationId, isOwnAddress: true }];
  if (webhook === undefined) return [{ in: candidates.ofPlatform, key: '' }];
  return [
    { in: candidates.byWebhookId, key: webhook },
    { in: candidates.withoutWebhookId, key: '' },
  ];
}
