import { randomBytes } from 'node:crypto';
import type { RotatedIntegration } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { shown } from './integration.ts';
import { noIntegration } from './integration-errors.ts';
import { openSecret, sealerOf } from './integration-secret.ts';
import { lockStored, updateIntegration } from './integration.store.ts';

/** How long webhooks that are signed with the secret before are accepted too. */
const overlapMs = 24 * 3_600_000;

/** `secret`: undefined: one is made. See assertVersion for `ifMatch`. */
export type IntegrationRotation = { id: string; ifMatch: readonly number[] | undefined; secret: string | undefined };

/**
 * Gives an integration a new signing secret: the caller's, or one that is made and in the result, this once. The secret
 * before is valid for 24 h more, an older one no longer, and neither is one whose encryption key is lost. Throws
 * not_found, 412, conflict `state` for a type without one.
 */
export async function rotateIntegration(
  ctx: UseCaseContext,
  { id, ifMatch, secret: given }: IntegrationRotation,
): Promise<{ integration: RotatedIntegration; version: number }> {
  const secret = given ?? randomBytes(32).toString('hex');
  const { secrets, tenantId } = ctx;
  const seal = sealerOf(ctx, id);
  return ctx.inTransaction(async (tx) => {
    const before = await lockStored(tx, id);
    if (!before) throw noIntegration();
    assertVersion(before.version, ifMatch);
    if (before.type === 'slack' || before.secret === null) throw noSigningSecret(before.type);
    const at = ctx.clock.now();
    const old = openOrNull({ secrets, tenantId }, id, before.secret);
    const after = {
      ...before,
      secret: seal('secret', secret),
      // What is sealed opens in its own column only.
      previousSecret: seal('previous_secret', old),
      previousSecretUntil: old === null ? null : new Date(at.getTime() + overlapMs),
    };
    const version = (await updateIntegration(tx, after, at)) ?? before.version;
    const { integration } = shown({ ...after, version });
    return { integration: given === undefined ? { ...integration, secret } : integration, version };
  });
}

function openOrNull(sealing: Pick<UseCaseContext, 'secrets' | 'tenantId'>, id: string, sealed: string): string | null {
  try {
    return openSecret(sealing, id, sealed);
  } catch {
    return null;
  }
}

function noSigningSecret(type: string): AppError {
  const message = `An integration of the type ${type} has no signing secret. Change its webhook_url, token or signing_secret instead.`;
  return new AppError('conflict', { field: 'type', constraint: 'state', message });
}
