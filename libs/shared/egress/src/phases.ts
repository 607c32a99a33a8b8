import type { Connection } from './connection.ts';

/**
 * How long the steps of an exchange took, in ms. Null: not reached, not needed (no look-up of a literal address, no TLS
 * for http), or, for the first three, done by an earlier exchange on the same connection.
 */
export type EgressPhases = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the sending of the request to the first byte of the response. */
  firstByteMs: number | null;
  /** From the first byte to the last one that was read. */
  bodyMs: number | null;
};

export const noPhases: EgressPhases = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, bodyMs: null };

/** Moments of performance.now(). */
export type Moments = { sentAt?: number; firstByteAt?: number; endedAt?: number };

/** `connection` is the one that this exchange opened; undefined if it had none or one that was already open. */
export function phasesOf(connection: Connection | undefined, { sentAt, firstByteAt, endedAt }: Moments): EgressPhases {
  const { startedAt, lookedUpAt, connectedAt, securedAt } = connection ?? {};
  return {
    dnsMs: between(startedAt, lookedUpAt),
    connectMs: between(lookedUpAt ?? startedAt, connectedAt),
    tlsMs: between(connectedAt, securedAt),
    firstByteMs: between(sentAt, firstByteAt),
    bodyMs: between(firstByteAt, endedAt),
  };
}

function between(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : Math.round(to - from);
}
