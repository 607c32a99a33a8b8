import { AppError, currentTraceparent, jsonLimits, type JsonScan, newId, scanJson } from '@eas/core';
import { insertInboundEvents } from '../receipts/inbound-event.store.ts';
import { parseInboundJson } from './inbound-json.ts';
import { headerOf, type InboundHead, type InboundRequest, type Receiver } from './receiver.ts';
import type { Source } from './source.ts';
import { payloadOf } from './form-payload.ts';
import { type LookUp, requireSignature, verifySender } from './verify-sender.ts';

const partsOf = (source: Source, head: InboundHead) => ({
  signature: source.signatureOf(head),
  takesUnsigned: head.takesUnsigned && head.integrationId === undefined,
});

/** Throws AppError forbidden for a body that cannot be taken, whatever it is. */
export const admitInboundEvent = (source: Source, head: InboundHead): void => requireSignature(partsOf(source, head));

/**
 * Takes a body: it is stored once with its event on return, or ignored. Throws forbidden when no secret verifies,
 * invalid_request for a misfit.
 */
export async function receiveInboundEvent(receiver: Receiver, source: Source, request: InboundRequest): Promise<void> {
  const { raw } = request;
  const payload = source.takesForms ? payloadOf(raw, headerOf(request, 'content-type')) : raw;
  const scan = scanJson(payload ?? nothing, jsonLimits, source.wanted);
  const lookUps = lookUpsOf(receiver, source, request.integrationId, scan);
  const parts = { ...partsOf(source, request), raw, lookUps, sightings: receiver.sightings };
  const sender = await verifySender(parts);
  receiver.onSender?.(sender.tenantId, raw.length);
  if (!payload) throw new AppError('invalid_request', { message: 'A form must have the field `payload`.' });
  const kept = keptOf(source, request, payload, scan);
  if (!kept) return receiver.onReceipt?.(source.name, 'ignored');
  const [id, receivedAt, traceparent] = [newId('inboundEvent'), receiver.clock.now(), currentTraceparent()];
  const receipt = { ...sender, ...kept, id, receivedAt, traceparent };
  const outcome = await receiver.gather(insertInboundEvents, receipt, kept.body.length);
  const isQuarantined = outcome === 'stored' && kept.status === 'quarantined';
  receiver.onReceipt?.(source.name, isQuarantined ? 'quarantined' : outcome);
}

const nothing = Buffer.alloc(0);

function lookUpsOf({ candidates }: Receiver, source: Source, own: string | undefined, { found }: JsonScan): LookUp[] {
  if (own === undefined) return source.lookUpsOf(candidates, found);
  return [{ in: candidates.ofAddress[source.type], key: own, isOwnAddress: true }];
}

/** What is kept of a body. The parsed body itself is not: many wait for a statement at the same time. */
function keptOf(source: Source, head: InboundHead, payload: Buffer, scan: JsonScan) {
  const json = parseInboundJson(payload, scan);
  const read = source.read(json, head);
  return read && { source: source.name, ...read, body: json.bytes };
}
