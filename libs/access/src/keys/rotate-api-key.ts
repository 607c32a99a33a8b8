import type { Scope, ShownKey } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { hashCredential } from '../rules/hash-credential.ts';
import { assertMayGive } from '../rules/scopes.ts';
import { generateApiKey, visibleParts } from './api-key.ts';
import { rotateKey } from './api-key.store.ts';
import { keyResource } from './key-resource.ts';
import { lockChangeableKey } from './lock-changeable-key.ts';

type Rotation = { id: string; overlapSeconds: number; scopes: readonly Scope[] };

/** The old text works for `overlapSeconds` more. The new one has the key's scopes, so the caller must have them. */
export async function rotateApiKey(
  ctx: UseCaseContext,
  { id, overlapSeconds, scopes }: Rotation,
): Promise<{ body: ShownKey; version: number }> {
  const key = generateApiKey();
  const text = { hash: hashCredential(key), ...visibleParts(key) };
  return ctx.inTransaction(async (tx) => {
    const before = await lockChangeableKey(tx, id, undefined);
    assertMayGive(before.scopes, scopes);
    const at = ctx.clock.now();
    const previousValidUntil = overlapSeconds > 0 ? new Date(at.getTime() + overlapSeconds * 1_000) : null;
    const row = await rotateKey(tx, id, { ...text, previousValidUntil, at });
    tx.notify('access', id);
    const data = { overlap_seconds: overlapSeconds };
    await recordAudit(tx, ctx.actor, { action: 'api_key.rotated', target: id, data });
    return { body: { ...keyResource(row, at), key }, version: row.version };
  });
}
