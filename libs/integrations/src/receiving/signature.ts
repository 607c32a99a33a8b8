import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A secret made ready for signing. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

const hexDigest = /^[0-9a-f]{64}$/i;

/**
 * The first candidate whose key made the signature: hex HMAC-SHA256 of the raw bytes. Every candidate is compared in
 * constant time.
 */
export function findSigner<C extends { key: KeyObject }>(
  candidates: readonly C[],
  raw: Buffer,
  signatureHex: string,
): C | undefined {
  if (!hexDigest.test(signatureHex)) return undefined;
  const given = Buffer.from(signatureHex, 'hex');
  return candidates.find(({ key }) => timingSafeEqual(createHmac('sha256', key).update(raw).digest(), given));
}
