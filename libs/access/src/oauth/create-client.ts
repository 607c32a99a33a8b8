import type { CreateClientBody, ShownClient } from '@eas/contracts';
import { AppError, newId, type Violation } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { assertMayLimit, type Giver } from '../rules/giver.ts';
import { assertMayGive } from '../rules/scopes.ts';
import { clientResource, generateClientSecret, secretCell } from './client.ts';
import { insertClient } from './client.store.ts';
import { redirectUriProblem } from './redirect-uri.ts';

/** Creates a client and returns its secret, which is shown only once. It has at most the rights of its creator. */
export async function createClient(
  ctx: UseCaseContext,
  { body, giver }: { body: CreateClientBody; giver: Giver },
): Promise<{ body: ShownClient; version: number }> {
  assertMayGive(body.scopes, giver.scopes);
  assertMayLimit({ tier: body.tier, rateLimit: body.rate_limit }, giver);
  assertRedirectUris(body.redirect_uris, body.is_public);
  const id = newId('oauthClient');
  const secret = body.is_public ? null : generateClientSecret();
  const client = {
    id,
    name: body.name,
    secret: secret && ctx.secrets.seal(secret, secretCell(ctx.tenantId, id)),
    redirectUris: body.redirect_uris,
    scopes: body.scopes,
    tier: body.tier,
    rateLimit: body.rate_limit,
    origin: null,
    createdBy: ctx.actor.id,
  };
  const made = await ctx.inTransaction(async (tx) => {
    const row = await insertClient(tx, client);
    const { name, scopes: given, redirectUris } = row;
    const data = { name, scopes: given, redirect_uris: redirectUris };
    await recordAudit(tx, ctx.actor, { action: 'oauth_client.created', target: id, data });
    return row;
  });
  const shown = { ...clientResource(made), ...(secret === null ? {} : { client_secret: secret }) };
  return { body: shown, version: made.version };
}

/** Throws invalid_input for addresses that codes may not be sent to. */
export function assertRedirectUris(uris: readonly string[], isPublic: boolean): void {
  const violations = uris.flatMap((uri, index): Violation[] => {
    const problem = redirectUriProblem(uri, isPublic);
    return problem === undefined ? [] : [{ field: `redirect_uris.${index}`, constraint: 'format', message: problem }];
  });
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
