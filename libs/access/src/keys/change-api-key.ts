import type { ChangeKeyBody, KeyResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { assertMayLimit, type Giver, requestsOf } from '../rules/giver.ts';
import { addedTo, assertMayGive } from '../rules/scopes.ts';
import { type KeyChange, updateKey } from './api-key.store.ts';
import { keyResource } from './key-resource.ts';
import { lockChangeableKey } from './lock-changeable-key.ts';
import { assertAhead } from './mint-api-key.ts';

type Change = {
  id: string;
  ifMatch: readonly number[] | undefined;
  body: ChangeKeyBody;
  giver: Giver;
};

/**
 * Changes what a key may do, from the next request on. The caller must have added scopes and requests per minute, and
 * all of its scopes to extend its expiry, since someone may still have the text of an expired key.
 */
export async function changeApiKey(
  ctx: UseCaseContext,
  { id, ifMatch, body, giver }: Change,
): Promise<{ body: KeyResource; version: number }> {
  assertAhead(ctx, body.expires_at);
  return ctx.inTransaction(async (tx) => {
    const key = await lockChangeableKey(tx, id, ifMatch);
    const at = ctx.clock.now();
    const after = {
      name: body.name ?? key.name,
      scopes: body.scopes ?? key.scopes,
      tier: body.tier ?? key.tier,
      rateLimit: body.rate_limit === undefined ? key.rateLimit : body.rate_limit,
      expiresAt: body.expires_at === undefined ? key.expiresAt : body.expires_at,
      updatedAt: at,
    };
    assertMayGive(livesLonger(key, after) ? after.scopes : addedTo(key.scopes, after.scopes), giver.scopes);
    if (after.tier !== key.tier || requestsOf(after) > requestsOf(key)) assertMayLimit(after, giver);
    const row = await updateKey(tx, id, after);
    tx.notify('access', id);
    await recordAudit(tx, ctx.actor, { action: 'api_key.changed', target: id, data: body });
    return { body: keyResource(row, at), version: row.version };
  });
}

type Expiring = Pick<KeyChange, 'expiresAt'>;

const livesLonger = ({ expiresAt: before }: Expiring, { expiresAt: after }: Expiring): boolean =>
  before !== null && (after === null || after > before);
