import type { CreatedWebhook, CreateWebhookBody, Scope } from '@eas/contracts';
import { AppError, newId, type Violation } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { endpointResource, makeSecret, secretCell } from './endpoint.ts';
import { insertEndpoint } from './endpoint.store.ts';
import { scopesToRead } from '../events/subscription.ts';

export type EndpointRules = {
  /** Whether deliveries may go to the URL, as far as the URL itself shows. */
  vetUrl: (url: string) => { isAllowed: true } | { isAllowed: false; message: string };
  /** Shortest secret that a client may bring. */
  secretMinLength: number;
};

/** A shorter secret can be guessed: taken, with a warning. */
const safeSecretLength = 16;

/**
 * Registers an endpoint. A secret that is made here is in the response, this once.
 * Throws invalid_input for a URL or secret that is not taken, forbidden for events that the caller may not read.
 */
export async function createEndpoint(
  ctx: UseCaseContext,
  { body, scopes }: { body: CreateWebhookBody; scopes: readonly Scope[] },
  rules: EndpointRules,
): Promise<CreatedWebhook> {
  const violations = violationsOf(body, rules);
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
  const missing = scopesToRead(body.events).filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw new AppError('forbidden', { message: `events requires the scope ${missing.join(', ')}.` });
  const id = newId('endpoint');
  if (body.secret !== undefined && body.secret.length < safeSecretLength)
    ctx.logger.warn({ endpointId: id, length: body.secret.length }, 'endpoint secret is short');
  const secret = body.secret ?? makeSecret();
  const now = ctx.clock.now();
  const endpoint = {
    id,
    url: body.url,
    events: [...new Set(body.events)],
    secret: ctx.secrets.seal(secret, secretCell(ctx.tenantId, id)),
    status: 'active',
    createdAt: now,
    updatedAt: now,
  };
  await ctx.inTransaction((tx) => insertEndpoint(tx, endpoint, ctx.limits.endpoints));
  return { ...endpointResource(endpoint), ...(body.secret === undefined ? { secret } : {}) };
}

function violationsOf(body: CreateWebhookBody, { vetUrl, secretMinLength }: EndpointRules): Violation[] {
  const violations: Violation[] = [];
  const vetted = vetUrl(body.url);
  if (!vetted.isAllowed) violations.push({ field: 'url', constraint: 'format', message: vetted.message });
  if (body.secret !== undefined && body.secret.length < secretMinLength)
    violations.push({
      field: 'secret',
      constraint: 'min_length',
      message: `must have at least ${secretMinLength} characters`,
    });
  return violations;
}
