import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { deriveKeys, isSameSecret } from '@eas/core';

const proofHeader = 'x-gateway-proof';
const callerHeader = 'x-gateway-caller';

/** Headers that only a gateway of this installation may send. */
export const gatewayHeaders: readonly string[] = [proofHeader, callerHeader];

/** Secrets by which a gateway proves itself to the receiver: it sends the first, all are accepted. */
export const gatewaySecrets = (encryptionKeys: readonly string[]): string[] =>
  deriveKeys(encryptionKeys, 'gateway to receiver');

export const proofOf = (secret: string, remoteAddress: string): Record<string, string> => ({
  [proofHeader]: secret,
  [callerHeader]: remoteAddress,
});

/** The caller that a proven gateway names. Removes the gateway's headers, so that only the caller's remain. */
export function takeProvenCaller(headers: IncomingHttpHeaders, secrets: readonly string[]): string | undefined {
  const { [proofHeader]: proof, [callerHeader]: caller } = headers;
  if (typeof proof !== 'string' || typeof caller !== 'string' || !isIP(caller)) return undefined;
  if (!secrets.some((secret) => isSameSecret(secret, proof))) return undefined;
  for (const name of gatewayHeaders) delete headers[name];
  return caller;
}
