import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@eas/core';

/** How long a browser stays known after its last sign-in. */
const knownMs = 180 * 86_400_000;

export type DeviceToken = { value: string; expiresAt: Date };

/** A token for the browser of a person who has just signed in, valid only for that person. */
export function issueDevice(secrets: SecretBox, email: string, now: Date): DeviceToken {
  const id = randomBytes(12).toString('base64url');
  return { value: secrets.seal(id, cellOf(email)), expiresAt: new Date(now.getTime() + knownMs) };
}

/** The id of a browser from which that person has signed in; undefined for another person's token or none. */
export function readDevice(secrets: SecretBox, token: string | undefined, email: string): string | undefined {
  if (token === undefined) return undefined;
  try {
    return secrets.open(token, cellOf(email));
  } catch {
    return undefined;
  }
}

/** E-mail addresses are unique over all tenants, and the tenant is unknown before the sign-in. */
const cellOf = (email: string) => ({ tenantId: '', table: 'users', column: 'device', rowId: email });
