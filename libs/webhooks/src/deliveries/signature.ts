import { createHmac } from 'node:crypto';

const madePrefix = 'whsec_';

export function signatureHeaders(
  secret: string,
  { eventId, body, at }: { eventId: string; body: Buffer; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = createHmac('sha256', standardKey(secret)).update(`${eventId}.${timestamp}.`).update(body);
  return {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
}

/** Key bytes of Standard Webhooks: the base64 part of `whsec_…`; of any other secret its UTF-8 bytes. */
function standardKey(secret: string): Buffer {
  const base64 = secret.startsWith(madePrefix) ? secret.slice(madePrefix.length) : '';
  const isBase64 = base64 !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  return isBase64 ? Buffer.from(base64, 'base64') : Buffer.from(secret, 'utf8');
}
