import { scopes } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { hashCredential } from '../hash-credential.ts';
import { isPlausibleKey, visibleParts } from './api-key.ts';
import { findKeyOrOrigin, insertApiKey, lockOrigin, replaceKeyText } from './api-key.store.ts';

const origin = 'bootstrap';

/**
 * Makes the first key of an installation, with every scope, or gives it the text that the setting has now. A revoked
 * key stays revoked. Safe in several processes at once. Throws on a key outside 24 to 128 characters, or one that
 * starts with `eas_` and has a wrong checksum: it could never be used.
 */
export async function ensureBootstrapKey(
  ctx: UseCaseContext,
  { key, rateLimit }: { key: string; rateLimit: number },
): Promise<void> {
  if (!isPlausibleKey(key))
    throw new Error('BOOTSTRAP_API_KEY: expected 24 to 128 characters, and a right checksum after eas_');
  const row = { ...visibleParts(key), hash: hashCredential(key), rateLimit, scopes };
  await ctx.inTransaction(async (tx) => {
    await lockOrigin(tx, origin);
    const found = await findKeyOrOrigin(tx, row.hash, origin);
    if (found?.isRevoked) return;
    if (found) {
      await replaceKeyText(tx, found.id, row);
      if (!found.hash.equals(row.hash)) tx.notify('access', found.id);
      return;
    }
    await insertApiKey(tx, {
      ...row,
      id: newId('apiKey'),
      name: 'Bootstrap key',
      tier: 'enterprise',
      agentId: null,
      origin,
      createdBy: ctx.actor.id,
      createdAt: ctx.clock.now(),
      expiresAt: null,
    });
  });
}
