import type { InboundEventResource } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import { type InboundSource, type InboundStatus, unsignedRef } from './inbound-event.ts';

/** A receipt as it is listed: without its body. */
export type Receipt = {
  id: string;
  source: InboundSource;
  integrationRef: string;
  event: string;
  externalId: string | null;
  receivedAt: Date;
  status: InboundStatus;
  settledAt: Date | null;
  outcome: string | null;
  repeats: number;
  /** Null when the body was removed. */
  bodyBytes: number | null;
};

export const noReceipt = () => new AppError('not_found', { message: 'The inbound event does not exist.' });

export function receiptResource(receipt: Receipt): InboundEventResource {
  const { integrationRef, settledAt } = receipt;
  return {
    id: receipt.id,
    integration_id: integrationRef === unsignedRef ? null : integrationRef,
    source: receipt.source,
    event: receipt.event,
    external_id: receipt.externalId,
    state: receipt.status,
    reason: reasonOf(receipt),
    detail: receipt.outcome,
    received_at: formatTimestamp(receipt.receivedAt),
    settled_at: settledAt && formatTimestamp(settledAt),
    repeats: receipt.repeats,
    body_bytes: receipt.bodyBytes,
  };
}

/** What an outcome means that does not begin with a word. */
const usualReason: Record<InboundStatus, string | null> = {
  received: null,
  applied: null,
  ignored: 'not_newer',
  quarantined: 'unknown_event',
  failed: 'refused',
};

/** The word for programs: outcomes may begin with it, as in `too_large: 501 history items`. */
export function reasonOf({ status, outcome }: Pick<Receipt, 'status' | 'outcome'>): string | null {
  const usual = usualReason[status];
  if (usual === null) return null;
  return /^([a-z][a-z_]{0,63}): /.exec(outcome ?? '')?.[1] ?? usual;
}
