import type { Actor } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { lockKey, revokeKeys } from './api-key.store.ts';

/** Revokes a key for good; it stays listed. A key that is revoked already stays so. */
export async function revokeApiKey(
  ctx: UseCaseContext,
  { id, ifMatch }: { id: string; ifMatch: readonly number[] | undefined },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const key = await lockKey(tx, id);
    if (!key) throw new AppError('not_found');
    assertVersion(key.version, ifMatch);
    await recordRevoked(tx, ctx.actor, await revokeKeys(tx, { id }, ctx.clock.now()));
  });
}

export async function revokeAgentKeys(ctx: UseCaseContext, agentId: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await recordRevoked(tx, ctx.actor, await revokeKeys(tx, { agentId }, ctx.clock.now()));
  });
}

async function recordRevoked(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    tx.notify('access', id);
    await recordAudit(tx, actor, { action: 'api_key.revoked', target: id });
  }
}
