import { type CreatedWebhook, type CreateWebhookBody, type Scope, scopesToRead } from '@eas/contracts';
import { newId } from '@eas/core';
import { requireActiveTenant, type UseCaseContext } from '@eas/db';
import { endpointCell, endpointResource, makeSecret } from './endpoint.ts';
import { mergeHeaders, sealHeaders } from './endpoint-headers.ts';
import { assertMayRead, type EndpointRules, refuse, violationsOfSecret, violationsOfUrl } from './endpoint-rules.ts';
import { insertEndpoint } from './endpoint.store.ts';

/**
 * Registers an endpoint. A generated secret is only in this response. Throws invalid_input for an invalid URL or
 * secret, forbidden for events that the caller may not read and for a suspended tenant.
 */
export async function createEndpoint(
  ctx: UseCaseContext,
  { body, scopes }: { body: CreateWebhookBody; scopes: readonly Scope[] },
  rules: EndpointRules,
): Promise<CreatedWebhook> {
  refuse([...violationsOfUrl(body.url, rules), ...violationsOfSecret(body.secret, rules)]);
  assertMayRead(scopesToRead(body.events), scopes, 'events');
  const id = newId('endpoint');
  const secret = body.secret ?? makeSecret();
  const headers = mergeHeaders({}, body.headers ?? {});
  const now = ctx.clock.now();
  const settings = {
    id,
    url: body.url,
    description: body.description ?? null,
    events: [...new Set(body.events)],
    headerNames: Object.keys(headers),
    ordering: body.ordering ?? 'none',
    maxPerSecond: body.max_per_second ?? null,
    createdAt: now,
    updatedAt: now,
  };
  const sealed = {
    secret: ctx.secrets.seal(secret, endpointCell(ctx.tenantId, id, 'secret')),
    headers: sealHeaders(ctx, id, headers),
  };
  const made = await ctx.inTransaction(async (tx) => {
    await requireActiveTenant(tx);
    return insertEndpoint(tx, { ...settings, ...sealed }, ctx.limits.endpoints);
  });
  return { ...endpointResource(made), ...(body.secret === undefined ? { secret } : {}) };
}
