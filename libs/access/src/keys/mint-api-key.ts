import type { Actor, MintAgentKeyBody, MintKeyBody, Principal, Scope, ShownKey } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { assertMayGive } from '../scopes.ts';
import { tierRateLimits } from './api-key.ts';
import { createApiKey, type CreateApiKeyInput } from './create-api-key.ts';
import { keyResource } from './key-resource.ts';

/**
 * Makes a key for somebody who has its scopes himself, else throws forbidden naming those that he lacks. Throws
 * invalid_input for an expiry that does not lie ahead. The agent, if any, must be there: see mintAgentKey.
 */
export async function mintApiKey(
  ctx: UseCaseContext,
  { body, scopes }: { body: MintKeyBody; scopes: readonly Scope[] },
): Promise<ShownKey> {
  assertMayGive(body.scopes, scopes);
  return mint(ctx, body, { scopes: body.scopes, agentId: body.agent_id });
}

/**
 * Makes a key that works as an agent and can do nothing else. Who is no admin needs agent:self himself, can give at
 * most as many requests a minute as he has and, coming with the key of an agent, makes keys of that agent alone. The
 * agent must be there: hold it in the same transaction.
 */
export async function mintAgentKey(
  ctx: UseCaseContext,
  input: { agentId: string; body: MintAgentKeyBody; principal: Pick<Principal, 'scopes' | 'rateLimit'> },
): Promise<ShownKey> {
  const { agentId, body, principal } = input;
  if (!principal.scopes.includes('admin')) {
    assertMayGive(['agent:self'], principal.scopes);
    assertMayAllow(body.rate_limit ?? tierRateLimits[body.tier], principal.rateLimit);
    assertOwnAgent(ctx.actor, agentId);
  }
  return mint(ctx, body, { scopes: ['agent:self'], agentId });
}

function assertMayAllow(rateLimit: number, own: number): void {
  if (rateLimit <= own) return;
  const message = `The key would have ${rateLimit} requests a minute; its maker has ${own}.`;
  throw new AppError('forbidden', { message });
}

/** Who could make the key of another agent could work as that one. */
function assertOwnAgent({ agentId: own }: Actor, agentId: string): void {
  if (own === undefined || own === agentId) return;
  throw new AppError('forbidden', { message: 'The key of an agent makes keys of that agent alone.' });
}

async function mint(
  ctx: UseCaseContext,
  { name, tier, rate_limit: rateLimit, expires_at: expiresAt }: MintAgentKeyBody,
  reach: Pick<CreateApiKeyInput, 'scopes' | 'agentId'>,
): Promise<ShownKey> {
  assertAhead(ctx, expiresAt);
  const { key, row } = await createApiKey(ctx, { ...reach, name, tier, rateLimit, expiresAt });
  return { ...keyResource(row), key };
}

/** Throws invalid_input when a key would have expired before it begins. */
export function assertAhead({ clock }: Pick<UseCaseContext, 'clock'>, expiresAt: Date | null | undefined): void {
  if (!expiresAt || expiresAt > clock.now()) return;
  const message = 'expires_at must lie ahead';
  throw new AppError('invalid_input', { field: 'expires_at', constraint: 'min', message });
}
