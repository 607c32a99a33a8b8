import { bytesOf, concat, type Bytes } from './bytes.ts';

const madePrefix = 'whsec_';

/** HMAC-SHA256 by Web Crypto, which Node and edge runtimes have. */
export async function hmacOf(key: Bytes, parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, concat(parts)));
}

/** Key bytes of X-Service-Signature. */
export const serviceKey = (secret: string): Bytes => concat([bytesOf(secret)]);

/** Key bytes of Standard Webhooks: the base64 part of `whsec_…`; of any other secret its UTF-8 bytes. */
export function standardKey(secret: string): Bytes {
  const base64 = secret.startsWith(madePrefix) ? secret.slice(madePrefix.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return serviceKey(secret);
  const digits = base64.replace(/=+$/, '');
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Takes the same time wherever the texts differ; their lengths are no secret. */
export function isSameText(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
