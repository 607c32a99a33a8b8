import type { Scope, Tier } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { generateApiKey, hashApiKey, visibleParts } from './api-key.ts';
import { insertApiKey } from './api-key.store.ts';

export type CreateApiKeyInput = {
  name: string;
  scopes: readonly Scope[];
  tier?: Tier;
  /** Requests a minute, instead of the tier's. */
  rateLimit?: number | null;
  agentId?: string | null;
  expiresAt?: Date | null;
};

/** Makes a key and gives its text, which is readable this once. */
export async function createApiKey(
  ctx: UseCaseContext,
  { name, scopes, tier = 'standard', rateLimit = null, agentId = null, expiresAt = null }: CreateApiKeyInput,
): Promise<{ id: string; key: string }> {
  const key = generateApiKey();
  const id = newId('apiKey');
  await insertApiKey(ctx, {
    ...visibleParts(key),
    id,
    name,
    hash: hashApiKey(key),
    scopes,
    tier,
    rateLimit,
    agentId,
    origin: null,
    createdAt: ctx.clock.now(),
    expiresAt,
  });
  return { id, key };
}
