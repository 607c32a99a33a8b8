import type { IntegrationTest } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { createTestShares, type Send } from '@eas/outbound';
import { findChatSecrets, heal, lockIntegration, openSecret, resumeChannels } from '@eas/integrations';
import { webhookChannel } from '../messages/chat-message.ts';
import { sentenceOf } from '../messages/chat-reasons.ts';
import { channelsOf } from '../messages/queue-chat-messages.ts';
import { content, section } from '../templates/blocks.ts';
import { chatOutcome, type ChatOutcome } from './chat-outcome.ts';
import { type ChatTarget, sendMessage } from './chat-request.ts';

/** Tests at a time of one process and of one tenant: a chat that hangs holds one for 15 s. */
const maxTests = 50;
const maxTestsOfTenant = 3;
/** Channels that get a test message. */
const maxChannels = 5;

type ChatTestResult = Pick<IntegrationTest, 'is_accepted' | 'reason' | 'error' | 'detail'>;
type Tested = { id: string; channels: readonly string[] };

/**
 * Posts a test message to the channels of a chat integration, the first five, until one is not accepted. When all are, a
 * degraded integration is active again. Throws conflict `limit` while too many tests of the tenant run.
 */
export type ChatTesting = (ctx: UseCaseContext, tested: Tested) => Promise<ChatTestResult>;

/** `apiUrl` has no final slash. */
type ChatApi = { send: Send; apiUrl: string };

/** The tests of one process. */
export function createChatTesting(send: Send, apiUrl: string): ChatTesting {
  const shares = createTestShares(maxTests, maxTestsOfTenant);
  return (ctx, tested) => shares.run(ctx.tenantId, () => postTests(ctx, tested, { send, apiUrl }));
}

async function postTests(ctx: UseCaseContext, tested: Tested, testing: ChatApi): Promise<ChatTestResult> {
  const targets = await targetsOf(ctx, tested, testing.apiUrl);
  if (typeof targets === 'string') return failed(targets, targets);
  for (const target of targets) {
    const result = resultOf(await postTest(ctx, target, testing));
    if (!result.is_accepted) return result;
  }
  await startAgain(ctx, tested.id);
  return accepted;
}

const accepted: ChatTestResult = { is_accepted: true, reason: null, error: null, detail: null };

const failed = (reason: NonNullable<ChatTestResult['reason']>, error: string): ChatTestResult => ({
  is_accepted: false,
  reason,
  error,
  detail: sentenceOf(error),
});

async function targetsOf(
  ctx: UseCaseContext,
  { id, channels }: Tested,
  apiUrl: string,
): Promise<ChatTarget[] | 'no_address' | 'secret_not_readable'> {
  const { secret, token } = await findChatSecrets(ctx, id);
  const named = channelsOf({ channels: [...channels], hasToken: token !== null, hasUrl: secret !== null });
  if (named.length === 0) return 'no_address';
  try {
    return named.slice(0, maxChannels).map((channel): ChatTarget => {
      if (channel === webhookChannel) return { by: 'url', url: openSecret(ctx, id, secret ?? '') };
      return { by: 'token', apiUrl, token: openSecret(ctx, id, token ?? '', 'token'), channel };
    });
  } catch (error) {
    ctx.logger.error({ err: error, integrationId: id }, 'integration secret not decryptable');
    return 'secret_not_readable';
  }
}

async function postTest(ctx: UseCaseContext, target: ChatTarget, { send }: ChatApi): Promise<ChatOutcome> {
  const text = 'Test message: this channel gets events of the Engineering Agent Service.';
  const response = await sendMessage(send, target, { message: content(text, [section(text)]), signal: ctx.signal });
  return chatOutcome(response, target.by, ctx.clock.now());
}

function resultOf(outcome: ChatOutcome): ChatTestResult {
  if (outcome.kind === 'posted') return accepted;
  const { reason } = outcome;
  if (outcome.kind === 'limited') return failed('rate_limited', reason);
  return failed(outcome.kind === 'retry' ? 'no_response' : 'refused', reason);
}

async function startAgain(ctx: UseCaseContext, id: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    if (!(await lockIntegration(tx, id))) return;
    await heal(tx, id);
    await resumeChannels(tx, id);
  });
}
