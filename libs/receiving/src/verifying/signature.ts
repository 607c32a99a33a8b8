import { createHmac, createSecretKey, type KeyObject, timingSafeEqual, webcrypto } from 'node:crypto';

export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/** What a sender of this secret writes as the signature, in hex. */
export const signatureOf = (secret: string, raw: Buffer): string =>
  createHmac('sha256', signingKey(secret)).update(raw).digest('hex');

/** The bytes of a signature in hex; undefined for what cannot be one. */
export function parseSignature(hex: string | undefined): Buffer | undefined {
  return hex !== undefined && /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : undefined;
}

/** Larger bodies are hashed on another thread: many secrets may have to be tried. */
const maxBytesHere = 32_768;

/** Whether the key made the signature: HMAC-SHA256 of the raw bytes, compared in constant time. */
async function isSignedWith(key: KeyObject, raw: Buffer, signature: Buffer): Promise<boolean> {
  if (raw.length <= maxBytesHere) return timingSafeEqual(createHmac('sha256', key).update(raw).digest(), signature);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.verify('HMAC', key.toCryptoKey(hmac, false, ['verify']), signature, raw);
}

export async function findSigner<C extends { key: KeyObject }>(
  candidates: readonly C[],
  raw: Buffer,
  signature: Buffer,
): Promise<C | undefined> {
  for (const candidate of candidates) if (await isSignedWith(candidate.key, raw, signature)) return candidate;
  return undefined;
}
