import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { readSourceHostEvent, receiveEarlyChecks, type SourceHostPullRequest } from '@eas/source-host';
import { readInboundRules } from '@eas/integrations';
import { applyReceipts } from './apply-receipts.ts';
import { shownCommits } from '../merging/platform-keys.ts';

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
    await applyReceipts(contextInTransaction(ctx, tx), tx, [own], await readInboundRules(tx, [integrationRef]));
    await receiveEarlyChecks(tx, shownCommits([own]), receivedAt);
  });
}
