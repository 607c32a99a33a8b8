import { scopes } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { hashCredential } from '../rules/hash-credential.ts';
import { isPlausibleKey, visibleParts } from './api-key.ts';
import {
  findKeyByHash,
  findKeyOfOrigin,
  findOtherOrigins,
  insertApiKey,
  lockOrigin,
  type OtherKey,
  replaceKeyText,
} from './api-key.store.ts';

const ofSetting = 'bootstrap';

/**
 * The result for a first key: `others` are active ones that were created earlier, by other settings or data folders.
 */
export type FirstKeyChange =
  { kind: 'unchanged' | 'revoked' } | { kind: 'replaced'; lastFour: string } | { kind: 'made'; others: OtherKey[] };

type FirstKey = { key: string; rateLimit: number };

/**
 * Creates the first key of an installation from BOOTSTRAP_API_KEY, with every scope, or updates it to the text of the
 * setting. A revoked key stays revoked. Safe in several processes at once. Throws on a key outside 24 to 128
 * characters, or one that starts with `eas_` and has a wrong checksum: it could never be used.
 */
export const ensureBootstrapKey = (ctx: UseCaseContext, input: FirstKey): Promise<FirstKeyChange> =>
  ensureKey(ctx, input, ofSetting);

/** The same for a data folder: a separate key, so that a new folder does not replace a key that people use. */
export const ensureFolderKey = (ctx: UseCaseContext, input: FirstKey): Promise<FirstKeyChange> =>
  ensureKey(ctx, input, `folder ${hashCredential(input.key).toString('hex').slice(0, 16)}`);

async function ensureKey(ctx: UseCaseContext, { key, rateLimit }: FirstKey, origin: string): Promise<FirstKeyChange> {
  if (!isPlausibleKey(key))
    throw new Error('BOOTSTRAP_API_KEY must have 24 to 128 characters and a valid checksum after eas_.');
  const row = { ...visibleParts(key), hash: hashCredential(key), rateLimit, scopes };
  return ctx.inTransaction(async (tx): Promise<FirstKeyChange> => {
    await lockOrigin(tx, origin);
    const same = await findKeyByHash(tx, row.hash);
    if (same?.revokedAt) return { kind: 'revoked' };
    const at = ctx.clock.now();
    const found = same ?? (await findKeyOfOrigin(tx, origin));
    if (found) {
      await replaceKeyText(tx, found.id, { ...row, at });
      if (same) return { kind: 'unchanged' };
      tx.notify('access', found.id);
      return { kind: 'replaced', lastFour: found.lastFour };
    }
    const others = await findOtherOrigins(tx);
    await insertApiKey(tx, {
      ...row,
      id: newId('apiKey'),
      name: 'Bootstrap key',
      tier: 'enterprise',
      agentId: null,
      origin,
      createdBy: ctx.actor.id,
      createdAt: at,
      expiresAt: null,
    });
    return { kind: 'made', others };
  });
}
