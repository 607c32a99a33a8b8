import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export type Validity = { notBefore: Date; notAfter: Date };

/** Of the certificate that the other side of a connection presented; undefined without TLS. */
export function peerValidity(socket: Socket): Validity | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
  return from && to ? { notBefore: new Date(from), notAfter: new Date(to) } : undefined;
}

/** The one that ends first. */
export function firstToEnd(validities: readonly (Validity | undefined)[]): Validity | undefined {
  return validities
    .filter((one) => one !== undefined)
    .sort((a, b) => a.notAfter.getTime() - b.notAfter.getTime())
    .at(0);
}
