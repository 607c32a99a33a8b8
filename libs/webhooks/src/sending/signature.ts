import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const madePrefix = 'whsec_';

/** The keys of a secret, made once for many requests: for `x-service-signature`, and for Standard Webhooks. */
export type SigningKey = { own: KeyObject; standard: KeyObject };

export function signingKey(secret: string): SigningKey {
  return { own: createSecretKey(Buffer.from(secret, 'utf8')), standard: createSecretKey(standardKey(secret)) };
}

/** The newest key first. Receivers of Standard Webhooks accept any of its signatures; ours is by the newest alone. */
export function signatureHeaders(
  keys: readonly [SigningKey, ...SigningKey[]],
  { eventId, body, at }: { eventId: string; body: Buffer; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = keys.map(({ standard }) =>
    createHmac('sha256', standard).update(`${eventId}.${timestamp}.`).update(body).digest('base64'),
  );
  return {
    'x-service-signature': `sha256=${createHmac('sha256', keys[0].own).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signed.map((text) => `v1,${text}`).join(' '),
  };
}

/** Key bytes of Standard Webhooks: the base64 part of `whsec_…`; of any other secret its UTF-8 bytes. */
function standardKey(secret: string): Buffer {
  const base64 = secret.startsWith(madePrefix) ? secret.slice(madePrefix.length) : '';
  const isBase64 = base64 !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  return isBase64 ? Buffer.from(base64, 'base64') : Buffer.from(secret, 'utf8');
}
