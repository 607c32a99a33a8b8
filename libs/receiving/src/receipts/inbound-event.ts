export type InboundSource = 'taskplatform' | 'sourcehost';

/** received: to be applied; the others are final, but quarantined and failed ones can be replayed. */
export type InboundStatus = 'received' | 'applied' | 'quarantined' | 'ignored' | 'failed';

/** Stands in place of an integration's id for bodies that were taken without a signature. */
export const unsignedRef = 'unsigned';

export type NewInboundEvent = {
  id: string;
  tenantId: string;
  source: InboundSource;
  integrationRef: string;
  event: string;
  externalId: string | null;
  dedupeKey: string | null;
  /** JSON text in UTF-8. */
  body: Buffer;
  receivedAt: Date;
  status: 'received' | 'quarantined';
  /** Of the request that brought it, where that is traced. */
  traceparent?: string | undefined;
};

export type Applied = { status: InboundStatus; outcome: string };
