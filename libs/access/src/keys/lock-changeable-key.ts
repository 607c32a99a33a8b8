import { AppError, assertVersion } from '@eas/core';
import type { Tx } from '@eas/db';
import type { KeyRow } from './api-key.read-model.ts';
import { lockKey } from './api-key.store.ts';

/**
 * Locks a key for a change. Throws not_found, 412, and conflict for a revoked key, which cannot be changed, and for one
 * from a setting: the next start would undo the change.
 */
export async function lockChangeableKey(tx: Tx, id: string, ifMatch: readonly number[] | undefined): Promise<KeyRow> {
  const key = await lockKey(tx, id);
  if (!key) throw new AppError('not_found');
  assertVersion(key.version, ifMatch);
  if (key.revokedAt) throw notInThisState('The key is revoked. Create a new one.');
  if (key.origin !== null)
    throw notInThisState('The key is managed by a setting. Change the setting, or revoke the key.');
  return key;
}

const notInThisState = (message: string) => new AppError('conflict', { field: 'status', constraint: 'state', message });
