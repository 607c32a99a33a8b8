import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Principal, Scope, Tier } from '@eas/contracts';
import { requestsOf } from '../rules/giver.ts';

export type ApiKey = {
  tenantId: string;
  id: string;
  scopes: Scope[];
  tier: Tier;
  rateLimit: number | null;
  agentId: string | null;
};

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const madeForm = /^eas_(?:live|test)_[0-9A-Za-z]{38}$/;

/** A new key: `eas_live_` (or test), 32 random base62 characters, their CRC32 in base62. */
export function generateApiKey(mode: 'live' | 'test' = 'live'): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const key = `eas_${mode}_${random}`;
  return key + checksum(key);
}

/** Without a look-up. Only keys that start with `eas_` have a checksum; others have 24 to 128 characters. */
export function isPlausibleKey(key: string): boolean {
  if (!key.startsWith('eas_')) return key.length >= 24 && key.length <= 128;
  return madeForm.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength);
}

/** Whether a bearer is one of our keys: no access token begins like one. */
export const isKeyForm = (bearer: string): boolean => /^eas_(?:live|test)_/.test(bearer);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

export function visibleParts(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, key.startsWith('eas_') ? 13 : 4), lastFour: key.slice(-4) };
}

/** The caller that presents a key. The key of an agent acts as that agent. */
export function principalOf({ tenantId, id, scopes, tier, rateLimit, agentId }: ApiKey): Principal {
  const actor = agentId === null ? { id } : { id: agentId, agentId };
  return {
    tenantId,
    kind: 'key',
    credentialId: id,
    actor: scopes.includes('admin') ? { ...actor, isAdmin: true } : actor,
    scopes,
    rateLimit: requestsOf({ tier, rateLimit }),
  };
}
