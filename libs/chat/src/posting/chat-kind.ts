import type { Tx, UseCaseContext } from '@eas/db';
import { retryOrFail, type Sent, type TargetKind, type Verdict } from '@eas/outbound';
import { degrade, lockIntegration, recordError, stopChannels } from '@eas/integrations';
import { insertEdits } from '../messages/chat-message.store.ts';
import { sentenceOf } from '../messages/chat-reasons.ts';
import { type ChatChannel, chatChannels, chatMessages, type ChatPost } from '../messages/chat-tables.ts';
import type { ChatOutcome } from './chat-outcome.ts';
import { dropMessages, forgetSkipped } from './chat-post.store.ts';
import { chatRetry, paceMs, pauseAfterMs } from './chat-retry.ts';
import { type ChatPosting, type ClaimedPost, findInput, type Posted, postMessage } from './post-message.ts';

/** Messages of chat channels. A chat that hangs holds a slot for 15 s: tenants that come first leave enough for others. */
export const chatKind = (posting: ChatPosting): TargetKind<ChatChannel, ChatPost, Posted> => ({
  log: {
    failed: 'chat message not posted',
    putOff: 'chat message not posted',
    lost: 'chat message not recorded, claim was lost',
    broken: 'chat message not processed',
  },
  destinations: chatChannels,
  messages: chatMessages,
  // Longer than a request can take.
  limits: { claimMs: 30_000, slots: 256, ofTenant: 8, ofGroup: 4 },
  request: (ctx, claimed) => postMessage(ctx, claimed, posting),
  judge: verdictOf,
  apply,
});

type ChatVerdict = Verdict<ChatChannel, ChatPost>;

function verdictOf({ outcome }: Posted, claimed: ClaimedPost): ChatVerdict {
  const failures = outcome.kind === 'retry' ? claimed.destination.failures + 1 : 0;
  const verdict = messageVerdict(outcome, claimed);
  const settled = verdict.state === 'waiting' ? {} : { responseUrl: null };
  return {
    outcome: outcome.kind,
    pauseMs: pauseAfterMs(failures),
    ...verdict,
    destination: { failures },
    message: { ...verdict.message, ...settled },
  };
}

/** An edit that is not taken is over, and holds up nothing. */
function messageVerdict(outcome: Posted['outcome'], { message, attempts }: ClaimedPost): Omit<ChatVerdict, 'outcome'> {
  switch (outcome.kind) {
    case 'posted':
      return { state: 'sent', message: { postedChannel: outcome.channel, postedTs: outcome.ts } };
    case 'limited': {
      const { reason: error, afterMs } = outcome;
      return { state: 'waiting', isUncounted: true, error, afterMs, pauseMs: Math.max(afterMs, paceMs) };
    }
    case 'retry':
      return retryOrFail(chatRetry, attempts, outcome.reason, outcome.afterMs);
    case 'refused':
      return { state: 'failed', error: outcome.reason };
    case 'stop':
      return { state: message.kind === 'edit' ? 'failed' : 'waiting', error: outcome.reason };
    case 'disconnected':
      return { state: 'waiting', isUncounted: true, pauseMs: 0 };
  }
}

async function apply(
  ctx: UseCaseContext,
  tx: Tx,
  { claimed, response: { outcome, asks }, verdict }: Sent<ChatChannel, ChatPost, Posted>,
  settle: () => Promise<void>,
): Promise<void> {
  const { destination, message } = claimed;
  const { integrationId } = destination;
  // A chat that is down fails every attempt long before the first message is given up.
  const error = outcome.kind === 'limited' ? undefined : verdict.error;
  // Before the channel, as changes of the integration do.
  if (error !== undefined) await lockIntegration(tx, integrationId);
  await settle();
  if (outcome.kind === 'disconnected') await dropMessages(tx, destination);
  if (outcome.kind === 'posted' && message.kind === 'post') await forgetSkipped(tx, destination);
  if (outcome.kind === 'posted' && asks !== undefined) await showAnswer(ctx, { integrationId, inputId: asks });
  if (error !== undefined) await recordError(tx, integrationId, error);
  if (outcome.kind === 'stop' && message.kind === 'post') await stop(ctx, tx, destination, outcome);
}

/** It may have been answered while it was posted: its event then found no message. */
async function showAnswer(ctx: UseCaseContext, asked: { integrationId: string; inputId: string }): Promise<void> {
  const input = await findInput(ctx, asked.inputId);
  if (input && input.status !== 'pending') await insertEdits(ctx, asked);
}

type Stopping = Extract<ChatOutcome, { kind: 'stop' }>;

async function stop(
  { logger, tenantId }: UseCaseContext,
  tx: Tx,
  { integrationId, channel }: ChatChannel,
  { scope, reason }: Stopping,
): Promise<void> {
  await stopChannels(tx, { integrationId, reason, channel: scope === 'channel' ? channel : undefined });
  await degrade(tx, { id: integrationId, reason, text: sentenceOf(reason) });
  logger.warn({ tenantId, integrationId, scope, reason }, 'chat refuses messages, posting stopped');
}
