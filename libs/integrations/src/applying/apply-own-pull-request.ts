import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { receiveEarlyChecks } from '../inbound/early-checks.store.ts';
import { readInboundRules } from '../integrations/integration.read-model.ts';
import type { SourceHostPullRequest } from '../platform-api/source-host-pull-request.ts';
import { readSourceHostEvent } from '../source-host/source-host-event.ts';
import { applyPullRequest } from './apply-pull-request.ts';
import { openPlatformBatch } from './platform-batch.ts';
import { shownCommits } from './pull-request-batch.ts';
import { asSender } from './sender-context.ts';

const event = 'pull_request.opened';

/**
 * Applies a pull request that the API of the source host gave, like the webhook about its opening, in the transaction that
 * `ctx` carries: whichever comes first has the effect.
 */
export async function applyOwnPullRequest(
  ctx: UseCaseContext,
  integrationRef: string,
  shown: SourceHostPullRequest,
): Promise<void> {
  const { number, user, base } = shown;
  const receivedAt = ctx.clock.now();
  const body = { action: 'opened', number, pull_request: shown, sender: user, repository: base.repo };
  const read = readSourceHostEvent(event, body, receivedAt);
  if (read?.kind !== 'pull request') return;
  const receipt = { id: '', source: 'sourcehost', integrationRef, event, externalId: null, body: '', receivedAt };
  const own = { receipt, ...read };
  await ctx.inTransaction(async (tx) => {
    const batch = await openPlatformBatch(tx, [own], await readInboundRules(tx, [integrationRef]));
    await applyPullRequest(asSender(contextInTransaction(ctx, tx), integrationRef), batch, own);
    await batch.save();
    await receiveEarlyChecks(tx, shownCommits([own]), receivedAt);
  });
}
