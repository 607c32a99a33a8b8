import type { RotatedWebhook } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { EndpointAction } from './delete-endpoint.ts';
import { endpointCell, makeSecret, noEndpoint, shown, type StoredEndpoint } from './endpoint.ts';
import type { Sealing } from './endpoint-headers.ts';
import { type EndpointRules, refuse, violationsOfSecret } from './endpoint-rules.ts';
import { lockEndpoint, updateEndpoint } from './endpoint.store.ts';

/** How long deliveries are also signed with the secret before. */
const overlapMs = 24 * 3_600_000;

/**
 * Sets a new secret: the caller's, or a generated one that is only in this response. The previous secret signs for 24 h
 * more; older ones, and one whose encryption key is lost, do not. Throws not_found, 412, invalid_input.
 */
export async function rotateSecret(
  ctx: UseCaseContext,
  { id, ifMatch, secret: given }: EndpointAction & { secret: string | undefined },
  rules: Pick<EndpointRules, 'secretMinLength'>,
): Promise<{ body: RotatedWebhook; version: number }> {
  refuse(violationsOfSecret(given, rules));
  const secret = given ?? makeSecret();
  const { secrets, tenantId } = ctx;
  return ctx.inTransaction(async (tx) => {
    const before = await lockEndpoint(tx, id);
    if (!before) throw noEndpoint();
    assertVersion(before.version, ifMatch);
    const at = ctx.clock.now();
    const previousSecret = asPrevious({ secrets, tenantId }, before);
    const previousSecretUntil = previousSecret === null ? null : new Date(at.getTime() + overlapMs);
    const sealed = secrets.seal(secret, endpointCell(tenantId, id, 'secret'));
    const after = await updateEndpoint(tx, { ...before, secret: sealed, previousSecret, previousSecretUntil }, at);
    const { body, version } = shown(after);
    return { body: given === undefined ? { ...body, secret } : body, version };
  });
}

/** Moves a sealed value to another column, where it has to be sealed again. Null when it cannot be opened. */
function asPrevious({ secrets, tenantId }: Sealing, { id, secret }: StoredEndpoint): string | null {
  let plain: string;
  try {
    plain = secrets.open(secret, endpointCell(tenantId, id, 'secret'));
  } catch {
    return null;
  }
  return secrets.seal(plain, endpointCell(tenantId, id, 'previous_secret'));
}
