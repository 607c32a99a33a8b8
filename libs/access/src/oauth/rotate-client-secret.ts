import type { Scope, ShownClient } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { assertMayGive } from '../rules/scopes.ts';
import { clientResource, generateClientSecret, noClient, secretCell } from './client.ts';
import { lockClient, replaceSecret } from './client.store.ts';

/**
 * Sets a new client secret, shown only once; the old one is refused at once. The caller must have the client's scopes,
 * which the secret grants. Throws not_found, and conflict for a public client.
 */
export async function rotateClientSecret(
  ctx: UseCaseContext,
  { id, scopes }: { id: string; scopes: readonly Scope[] },
): Promise<{ body: ShownClient; version: number }> {
  const secret = generateClientSecret();
  return ctx.inTransaction(async (tx) => {
    const before = await lockClient(tx, id);
    if (!before) throw noClient();
    assertMayGive(before.scopes, scopes);
    if (before.isPublic)
      throw new AppError('conflict', {
        message: 'A public client has no secret to rotate.',
        field: 'id',
        constraint: 'state',
      });
    const sealed = ctx.secrets.seal(secret, secretCell(tx.tenantId, id));
    const after = await replaceSecret(tx, id, { secret: sealed, at: ctx.clock.now() });
    await recordAudit(tx, ctx.actor, { action: 'oauth_client.rotated', target: id });
    return { body: { ...clientResource(after), client_secret: secret }, version: after.version };
  });
}
