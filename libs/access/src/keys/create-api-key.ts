import type { Scope, Tier } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { hashCredential } from '../rules/hash-credential.ts';
import { generateApiKey, visibleParts } from './api-key.ts';
import type { KeyRow } from './api-key.read-model.ts';
import { assertBelowKeyLimit, insertApiKey } from './api-key.store.ts';

export type CreateApiKeyInput = {
  name: string;
  scopes: readonly Scope[];
  tier?: Tier;
  /** Requests a minute, instead of the tier's. */
  rateLimit?: number | null;
  agentId?: string | null;
  expiresAt?: Date | null;
};

/**
 * Creates a key and returns its text, which is shown only once. The caller checks who may create such a key, and that
 * the agent exists. Throws conflict `limit` when the tenant has too many active keys.
 */
export async function createApiKey(
  ctx: UseCaseContext,
  { name, scopes, tier = 'standard', rateLimit = null, agentId = null, expiresAt = null }: CreateApiKeyInput,
): Promise<{ id: string; key: string; row: KeyRow }> {
  const key = generateApiKey();
  const id = newId('apiKey');
  const createdAt = ctx.clock.now();
  const reach = { name, scopes, tier, rateLimit, agentId, expiresAt };
  const newKey = { ...reach, ...visibleParts(key), id, hash: hashCredential(key), origin: null, createdAt };
  const data = { name, scopes, tier, rate_limit: rateLimit, agent_id: agentId, expires_at: expiresAt };
  return ctx.inTransaction(async (tx) => {
    await assertBelowKeyLimit(tx, { max: ctx.limits.keys, at: createdAt });
    const row = await insertApiKey(tx, { ...newKey, createdBy: ctx.actor.id });
    await recordAudit(tx, ctx.actor, { action: 'api_key.created', target: id, data });
    return { id, key, row };
  });
}
