import type { ChangeClientBody, ClientResource } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { assertMayLimit, type Giver, requestsOf } from '../rules/giver.ts';
import { addedTo, assertMayGive } from '../rules/scopes.ts';
import { clientResource, noClient } from './client.ts';
import { lockClient, updateClient } from './client.store.ts';
import { assertRedirectUris } from './create-client.ts';

/** A merge patch of one client; see assertVersion for `ifMatch`. */
export type ClientChange = {
  id: string;
  ifMatch: readonly number[] | undefined;
  body: ChangeClientBody;
  giver: Giver;
};

/**
 * Changes a client. Its grants continue within its new scopes, after at most two seconds. The caller must have added
 * scopes and requests per minute, and all of its scopes to add an address, which receives codes with these scopes.
 */
export async function changeClient(
  ctx: UseCaseContext,
  { id, ifMatch, body, giver }: ClientChange,
): Promise<{ body: ClientResource; version: number }> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockClient(tx, id);
    if (!before) throw noClient();
    assertVersion(before.version, ifMatch);
    if (body.redirect_uris) assertRedirectUris(body.redirect_uris, before.isPublic);
    const { name = before.name, tier = before.tier, rate_limit: rateLimit = before.rateLimit } = body;
    const { redirect_uris: redirectUris = before.redirectUris, scopes: given = before.scopes } = body;
    const gainsAddress = redirectUris.some((uri) => !before.redirectUris.includes(uri));
    assertMayGive(gainsAddress ? given : addedTo(before.scopes, given), giver.scopes);
    const limit = { tier, rateLimit };
    if (tier !== before.tier || requestsOf(limit) > requestsOf(before)) assertMayLimit(limit, giver);
    const changed = { name, redirectUris, scopes: given, tier, rateLimit, updatedAt: ctx.clock.now() };
    const after = await updateClient(tx, { ...before, ...changed });
    await recordAudit(tx, ctx.actor, { action: 'oauth_client.changed', target: id, data: body });
    tx.notify('access', id);
    return { body: clientResource(after), version: after.version };
  });
}
