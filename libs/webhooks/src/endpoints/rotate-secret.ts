import type { RotatedWebhook } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { EndpointAction } from './delete-endpoint.ts';
import { endpointCell, makeSecret, noEndpoint, shown } from './endpoint.ts';
import { type EndpointRules, refuse, violationsOfSecret } from './endpoint-rules.ts';
import { lockEndpoint, updateEndpoint } from './endpoint.store.ts';

/** How long deliveries are also signed with the secret before. */
const overlapMs = 24 * 3_600_000;

/**
 * Gives an endpoint a new secret: the caller's, or one that is made and in the response, this once. The secret before
 * signs for 24 h more, an older one no longer. Throws not_found, 412, invalid_input.
 */
export async function rotateSecret(
  ctx: UseCaseContext,
  { id, ifMatch, secret: given }: EndpointAction & { secret: string | undefined },
  rules: Pick<EndpointRules, 'secretMinLength'>,
): Promise<{ body: RotatedWebhook; version: number }> {
  refuse(violationsOfSecret(given, rules));
  const secret = given ?? makeSecret();
  const { secrets, tenantId } = ctx;
  const cell = endpointCell(tenantId, id, 'secret');
  return ctx.inTransaction(async (tx) => {
    const before = await lockEndpoint(tx, id);
    if (!before) throw noEndpoint();
    assertVersion(before.version, ifMatch);
    const at = ctx.clock.now();
    const after = await updateEndpoint(
      tx,
      {
        ...before,
        secret: secrets.seal(secret, cell),
        // What is sealed opens in its own column only.
        previousSecret: secrets.seal(secrets.open(before.secret, cell), endpointCell(tenantId, id, 'previous_secret')),
        previousSecretUntil: new Date(at.getTime() + overlapMs),
      },
      at,
    );
    const { body, version } = shown(after);
    return { body: given === undefined ? { ...body, secret } : body, version };
  });
}
