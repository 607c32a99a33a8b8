import type { Actor, MintAgentKeyBody, MintKeyBody, ShownKey } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { assertMayLimit, type Giver } from '../rules/giver.ts';
import { assertMayGive } from '../rules/scopes.ts';
import { createApiKey, type CreateApiKeyInput } from './create-api-key.ts';
import { keyResource } from './key-resource.ts';

/** Throws forbidden above the giver's scopes or rate, invalid_input for a past expiry. The agent must exist. */
export async function mintApiKey(
  ctx: UseCaseContext,
  { body, giver }: { body: MintKeyBody; giver: Giver },
): Promise<ShownKey> {
  assertMayGive(body.scopes, giver.scopes);
  return mint(ctx, body, { giver, scopes: body.scopes, agentId: body.agent_id });
}

/**
 * Creates a key that works as an agent and can do nothing else. A caller without the scope admin needs agent:self and,
 * with the key of an agent, can only create keys of that agent. The agent must exist: lock it in the same transaction.
 */
export async function mintAgentKey(
  ctx: UseCaseContext,
  input: { agentId: string; body: MintAgentKeyBody; giver: Giver },
): Promise<ShownKey> {
  const { agentId, body, giver } = input;
  if (!giver.scopes.includes('admin')) {
    assertMayGive(['agent:self'], giver.scopes);
    assertOwnAgent(ctx.actor, agentId);
  }
  return mint(ctx, body, { giver, scopes: ['agent:self'], agentId });
}

/** A caller that can create the key of another agent could work as that agent. */
function assertOwnAgent({ agentId: own }: Actor, agentId: string): void {
  if (own === undefined || own === agentId) return;
  throw new AppError('forbidden', { message: 'A key of an agent can create keys only for that agent.' });
}

async function mint(
  ctx: UseCaseContext,
  { name, tier, rate_limit: rateLimit, expires_at: expiresAt }: MintAgentKeyBody,
  { giver, ...reach }: Pick<CreateApiKeyInput, 'scopes' | 'agentId'> & { giver: Giver },
): Promise<ShownKey> {
  assertAhead(ctx, expiresAt);
  assertMayLimit({ tier, rateLimit }, giver);
  const { key, row } = await createApiKey(ctx, { ...reach, name, tier, rateLimit, expiresAt });
  return { ...keyResource(row, ctx.clock.now()), key };
}

/** Throws invalid_input when a key would have expired before it begins. */
export function assertAhead({ clock }: Pick<UseCaseContext, 'clock'>, expiresAt: Date | null | undefined): void {
  if (!expiresAt || expiresAt > clock.now()) return;
  const message = 'expires_at must be in the future.';
  throw new AppError('invalid_input', { field: 'expires_at', constraint: 'min', message });
}
