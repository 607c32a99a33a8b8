import type { wantedTexts } from '@eas/core';
import type { InboundSource, NewInboundEvent } from '../receipts/inbound-event.ts';
import type { InboundJson } from './inbound-json.ts';
import type { InboundHead, Receiver } from './receiver.ts';
import type { LookUp } from './verify-sender.ts';

/** What is kept of a body beside its text. */
type ReadBody = Pick<NewInboundEvent, 'event' | 'externalId' | 'dedupeKey' | 'status'>;

/** A kind of system that sends webhooks: how a body of it is verified, and what is read of it to store it. */
export type Source = {
  name: InboundSource;
  /** Of integrations that may send. */
  type: 'taskplatform' | 'github';
  /** Hex digest as sent; undefined when there is none. */
  signatureOf(head: InboundHead): string | undefined;
  /** Whether a body may be a form with the JSON in its field `payload`. */
  takesForms: boolean;
  /** Texts of a body that say whose secrets are tried at the common address. */
  wanted: ReturnType<typeof wantedTexts>;
  lookUpsOf(candidates: Receiver['candidates'], found: ReadonlyMap<string, string>): LookUp[];
  /** Undefined: acknowledged and ignored. Throws invalid_request for a misfit. */
  read(json: InboundJson, head: InboundHead): ReadBody | undefined;
};
