import { type EventType, type InputResource, scopes } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type Claimed, isCutOff, type Send } from '@eas/outbound';
import { getInput, whyCancelled } from '@eas/tasks';
import { openSecret } from '@eas/integrations';
import { webhookChannel } from '../messages/chat-message.ts';
import { responseUrlCell } from '../messages/chat-message.store.ts';
import type { ChatChannel, ChatPost } from '../messages/chat-tables.ts';
import type { ChatContent } from '../templates/blocks.ts';
import { eventMessage } from '../templates/event-message.ts';
import { questionMessage, questionOf, settledQuestionMessage } from '../templates/question-message.ts';
import { type ChatAccess, readChatAccess } from './chat-post.store.ts';
import { chatOutcome, type ChatOutcome } from './chat-outcome.ts';
import { type ChatTarget, isResponseUrl, sendMessage } from './chat-request.ts';

/** How messages go out. `apiUrl` has no final slash; `baseUrl`: for links to tasks. */
export type ChatPosting = { send: Send; apiUrl: string; baseUrl: string | undefined };

export type ClaimedPost = Claimed<ChatChannel, ChatPost>;

/** `disconnected`: nothing is posted there any more. `asks`: the input that the message asks about. */
export type Posted = { outcome: ChatOutcome | { kind: 'disconnected' }; asks?: string | undefined };

const gone: Posted = { outcome: { kind: 'refused', reason: 'event_gone' } };

/** Posts a claimed message. Undefined: it was cut off by the end of the process. */
export async function postMessage(
  ctx: UseCaseContext,
  claimed: ClaimedPost,
  { send, apiUrl, baseUrl }: ChatPosting,
): Promise<Posted | undefined> {
  const { integrationId } = claimed.destination;
  const access = await readChatAccess(ctx, { integrationId, eventId: claimed.message.eventId });
  if (!access || access.isOver) return { outcome: { kind: 'disconnected' } };
  if (access.data === null) return gone;
  const target = targetOf(ctx, claimed, access, apiUrl);
  if (typeof target === 'string') return { outcome: { kind: 'stop', scope: 'integration', reason: target } };
  const message = await contentOf(ctx, claimed, access, baseUrl);
  if (!message) return gone;
  const response = await sendMessage(send, target, { message: message.content, signal: ctx.signal });
  if (isCutOff(response, ctx.signal)) return undefined;
  return { outcome: chatOutcome(response, target.by, ctx.clock.now()), asks: message.asks };
}

/** The address of a message, or why there is none. */
function targetOf(
  ctx: UseCaseContext,
  { destination: { integrationId, channel }, message: post }: ClaimedPost,
  { token: sealedToken, webhookUrl: sealedUrl }: ChatAccess,
  apiUrl: string,
): ChatTarget | string {
  const { kind, postedChannel, postedTs } = post;
  try {
    const token = sealedToken === null ? undefined : openSecret(ctx, integrationId, sealedToken, 'token');
    if (kind === 'edit' && token !== undefined && postedChannel !== null && postedTs !== null)
      return { by: 'update', apiUrl, token, channel: postedChannel, ts: postedTs };
    if (kind === 'edit') return responseTarget(ctx, integrationId, post, apiUrl);
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
  integrationId: string,
  { inputId, responseUrl }: ChatPost,
  apiUrl: string,
): ChatTarget | string {
  if (responseUrl === null || inputId === null) return 'no_address';
  const url = secrets.open(responseUrl, responseUrlCell(tenantId, { integrationId, inputId }));
  return isResponseUrl(url, apiUrl) ? { by: 'response_url', url } : 'blocked_target';
}

/** Undefined: what it asks about does not exist any more. */
async function contentOf(
  ctx: UseCaseContext,
  { destination: { integrationId, skipped }, message: { eventType, kind, inputId } }: ClaimedPost,
  { isInteractive, data }: ChatAccess,
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

export async function findInput(ctx: UseCaseContext, inputId: string): Promise<InputResource | undefined> {
  return getInput(ctx, { inputId, scopes }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}
