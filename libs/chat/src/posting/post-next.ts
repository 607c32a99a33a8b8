import { type EventType, type InputResource, scopes } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { isCutOff, retryWaitMs, type Send } from '@eas/outbound';
import { getInput, whyCancelled } from '@eas/tasks';
import { degrade, lockIntegration, openSecret, recordError, stopChannels } from '@eas/integrations';
import { webhookChannel } from '../messages/chat-message.ts';
import { sentenceOf } from '../messages/chat-reasons.ts';
import { insertEdits, responseUrlCell } from '../messages/chat-message.store.ts';
import type { ChatContent } from '../templates/blocks.ts';
import { eventMessage } from '../templates/event-message.ts';
import { questionMessage, questionOf, settledQuestionMessage } from '../templates/question-message.ts';
import {
  claimChannel,
  type ClaimedChannel,
  type ClaimedPost,
  dropMessages,
  leaveChannel,
  type Settlement,
  settleMessage,
  wakeChannel,
} from './chat-post.store.ts';
import { chatOutcome, type ChatOutcome } from './chat-outcome.ts';
import { type ChatTarget, isResponseUrl, sendMessage } from './chat-request.ts';
import { chatRetry, paceMs, pauseAfterMs } from './chat-retry.ts';

/** How messages go out. `apiUrl` has no final slash; `baseUrl`: for links to tasks. */
export type ChatPosting = {
  send: Send;
  apiUrl: string;
  baseUrl: string | undefined;
  onPost?: (seen: { outcome: ChatOutcome['kind']; state: Settlement['state']; durationMs: number }) => void;
};

/** Posts the next message of a channel, if it is due and not claimed by another worker, and records the result. */
export async function postNext(
  ctx: UseCaseContext,
  key: { integrationId: string; channel: string },
  posting: ChatPosting,
): Promise<void> {
  const claimed = await claimChannel(ctx, key);
  if (!claimed) return;
  const { post } = claimed;
  if (post === null || claimed.isOver) return leaveAlone(ctx, claimed);
  const startedMs = ctx.clock.monotonicMs();
  const { outcome, asks } = await postClaimed(ctx, claimed, post, posting);
  // The claim stands: what was cut off is posted by another process when its time is over.
  if (outcome === undefined) return;
  const settlement = settlementOf(outcome, post);
  const isOurs = await record(ctx, claimed, { post, outcome, settlement, asks });
  const durationMs = ctx.clock.monotonicMs() - startedMs;
  posting.onPost?.({ outcome: outcome.kind, state: settlement.state, durationMs });
  logPost(ctx, claimed, { outcome, settlement, isOurs });
}

async function leaveAlone(ctx: UseCaseContext, claimed: ClaimedChannel): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const isOurs = await leaveChannel(tx, claimed, { pauseMs: 0, failures: claimed.failures, reported: 0 });
    if (!isOurs) return;
    if (claimed.isOver) await dropMessages(tx, claimed);
    await wakeChannel(tx, claimed);
  });
}

/** What came of it; undefined: it was cut off by the end of the process. `asks`: the input that the message asks about. */
type Posted = { outcome: ChatOutcome | undefined; asks?: string | undefined };

async function postClaimed(
  ctx: UseCaseContext,
  claimed: ClaimedChannel,
  post: ClaimedPost,
  { send, apiUrl, baseUrl }: ChatPosting,
): Promise<Posted> {
  if (post.data === null) return gone;
  const target = targetOf(ctx, claimed, post, apiUrl);
  if (typeof target === 'string') return { outcome: { kind: 'stop', scope: 'integration', reason: target } };
  const message = await contentOf(ctx, claimed, post, baseUrl);
  if (!message) return gone;
  const response = await sendMessage(send, target, { message: message.content, signal: ctx.signal });
  if (isCutOff(response, ctx.signal)) return { outcome: undefined };
  return { outcome: chatOutcome(response, target.by, ctx.clock.now()), asks: message.asks };
}

const gone: Posted = { outcome: { kind: 'refused', reason: 'event_gone' } };

/** The address of a message, or why there is none. */
function targetOf(
  ctx: UseCaseContext,
  { integrationId, channel, token: sealedToken, webhookUrl: sealedUrl }: ClaimedChannel,
  post: ClaimedPost,
  apiUrl: string,
): ChatTarget | string {
  const { kind, postedChannel, postedTs } = post;
  try {
    const token = sealedToken === null ? undefined : openSecret(ctx, integrationId, sealedToken, 'token');
    if (kind === 'edit' && token !== undefined && postedChannel !== null && postedTs !== null)
      return { by: 'update', apiUrl, token, channel: postedChannel, ts: postedTs };
    if (kind === 'edit') return responseTarget(ctx, post, apiUrl);
    if (channel !== webhookChannel) return token === undefined ? 'no_address' : { by: 'token', apiUrl, token, channel };
    return sealedUrl === null ? 'no_address' : { by: 'url', url: openSecret(ctx, integrationId, sealedUrl) };
  } catch (error) {
    ctx.logger.error({ err: error, integrationId }, 'integration secret not decryptable');
    return 'secret_not_readable';
  }
}

/** The address came with a click: it is not called unless it is the chat's. */
function responseTarget(
  { secrets, tenantId }: UseCaseContext,
  { integrationId, inputId, responseUrl }: ClaimedPost,
  apiUrl: string,
): ChatTarget | string {
  if (responseUrl === null || inputId === null) return 'no_address';
  const url = secrets.open(responseUrl, responseUrlCell(tenantId, { integrationId, inputId }));
  return isResponseUrl(url, apiUrl) ? { by: 'response_url', url } : 'blocked_target';
}

/** Undefined: what it asks about does not exist any more. */
async function contentOf(
  ctx: UseCaseContext,
  { integrationId, isInteractive, skipped }: ClaimedChannel,
  { eventType, data, kind, inputId }: ClaimedPost,
  baseUrl: string | undefined,
): Promise<{ content: ChatContent; asks?: string } | undefined> {
  const reported = kind === 'post' ? skipped : 0;
  const event = { type: eventType as EventType, data: data ?? {}, baseUrl, skipped: reported };
  if (inputId === null) return { content: eventMessage(event) };
  const input = await findInput(ctx, inputId);
  if (!input) return undefined;
  if (input.status !== 'pending' || kind === 'edit')
    return { content: settledQuestionMessage(event, { input, why: await whyOver(ctx, input), now: ctx.clock.now() }) };
  return {
    content: questionMessage(event, questionOf(input), isInteractive ? integrationId : undefined),
    asks: inputId,
  };
}

const whyOver = async (ctx: UseCaseContext, input: InputResource): Promise<string | undefined> =>
  input.status === 'cancelled' ? whyCancelled(ctx, input) : undefined;

async function findInput(ctx: UseCaseContext, inputId: string): Promise<InputResource | undefined> {
  return getInput(ctx, { inputId, scopes }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** What becomes of a message: an edit that is not taken is over, and holds up nothing. */
function settlementOf(outcome: ChatOutcome, { kind, attempts }: ClaimedPost): Settlement {
  switch (outcome.kind) {
    case 'posted':
      return { state: 'posted', isCounted: true, error: null, posted: outcome };
    case 'limited':
      return { state: 'pending', isCounted: false, error: outcome.reason, retryMs: outcome.afterMs };
    case 'retry':
      return retried(outcome, attempts + 1);
    case 'refused':
      return { state: 'failed', isCounted: true, error: outcome.reason };
    case 'stop':
      if (kind === 'edit') return { state: 'failed', isCounted: true, error: outcome.reason };
      return { state: 'pending', isCounted: true, error: outcome.reason };
  }
}

function retried({ reason, afterMs }: Extract<ChatOutcome, { kind: 'retry' }>, attempts: number): Settlement {
  const retryMs = retryWaitMs(chatRetry, attempts, afterMs);
  if (retryMs === undefined) return { state: 'failed', isCounted: true, error: reason };
  return { state: 'pending', isCounted: true, error: reason, retryMs };
}

type Recorded = { post: ClaimedPost; outcome: ChatOutcome; settlement: Settlement; asks: string | undefined };

/** False: the claim was lost meanwhile, and another process has posted it or will. */
async function record(ctx: UseCaseContext, claimed: ClaimedChannel, recorded: Recorded): Promise<boolean> {
  const { post, outcome, settlement, asks } = recorded;
  const { integrationId } = claimed;
  const isStopped = outcome.kind === 'stop' && post.kind === 'post';
  // A chat that is down fails every attempt long before the first message is given up.
  const { error } = settlement;
  const isError = error !== null && outcome.kind !== 'limited';
  const failures = outcome.kind === 'retry' ? claimed.failures + 1 : 0;
  const pauseMs = outcome.kind === 'limited' ? Math.max(outcome.afterMs, paceMs) : pauseAfterMs(failures);
  const reported = outcome.kind === 'posted' && post.kind === 'post' ? claimed.skipped : 0;
  return ctx.inTransaction(async (tx) => {
    // Before the channel, as changes of the integration do.
    if (isError) await lockIntegration(tx, integrationId);
    if (!(await leaveChannel(tx, claimed, { pauseMs, failures, reported }))) return false;
    await settleMessage(tx, post.id, settlement);
    if (outcome.kind === 'posted' && asks !== undefined)
      await showAnswer(contextInTransaction(ctx, tx), { integrationId, inputId: asks });
    await wakeChannel(tx, claimed);
    if (isError) await recordError(tx, integrationId, error);
    if (isStopped) await stop(tx, claimed, outcome);
    return true;
  });
}

/** It may have been answered while it was posted: its event then found no message. */
async function showAnswer(inner: UseCaseContext, asked: { integrationId: string; inputId: string }): Promise<void> {
  const input = await findInput(inner, asked.inputId);
  if (input && input.status !== 'pending') await insertEdits(inner, asked);
}

type Stopping = Extract<ChatOutcome, { kind: 'stop' }>;

async function stop(tx: Tx, { integrationId, channel }: ClaimedChannel, { scope, reason }: Stopping): Promise<void> {
  await stopChannels(tx, { integrationId, reason, channel: scope === 'channel' ? channel : undefined });
  await degrade(tx, { id: integrationId, reason, text: sentenceOf(reason) });
}

type Logged = { outcome: ChatOutcome; settlement: Settlement; isOurs: boolean };

function logPost({ logger, tenantId }: UseCaseContext, claimed: ClaimedChannel, logged: Logged): void {
  const { outcome, settlement, isOurs } = logged;
  const fields = { tenantId, integrationId: claimed.integrationId, messageId: claimed.post?.id };
  if (!isOurs) logger.warn(fields, 'chat message not recorded, claim was lost');
  else if (outcome.kind === 'posted') logger.debug(fields, 'chat message posted');
  else if (outcome.kind === 'stop' && settlement.state === 'pending')
    logger.warn({ ...fields, scope: outcome.scope, reason: outcome.reason }, 'chat refuses messages, posting stopped');
  else logger.warn({ ...fields, reason: outcome.reason, state: settlement.state }, 'chat message not posted');
}
