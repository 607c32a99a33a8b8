import type { IntegrationTest } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { findSealedSecret, getIntegration, inboundPath, openSecret } from '@eas/integrations';
import { findOfAddress } from './candidate.read-model.ts';
import { createCandidates } from './candidates.ts';
import { signatureOf } from './signature.ts';
import { verifySender } from './verify-sender.ts';

const sample = Buffer.from('{"event":"taskUpdated","task_id":"sample"}');
const noSightings = { received: () => {}, refused: () => {}, close: async () => {} };

/** `inboundPath`: of the address where the sample was verified. */
export type TestedIntegration = Omit<IntegrationTest, 'inbound_url'> & { inboundPath: string };

/** Posts a test message to the channels of a chat. */
type TestChat = (
  ctx: UseCaseContext,
  chat: { id: string; channels: readonly string[] },
) => Promise<Pick<IntegrationTest, 'is_accepted' | 'reason' | 'error' | 'detail'>>;

/**
 * Signs a sample with the integration's stored secret and verifies it as the receiver does at its address: nothing is
 * stored or sent. To a chat it posts a test message. Throws not_found.
 */
export async function testIntegration(ctx: UseCaseContext, id: string, testChat: TestChat): Promise<TestedIntegration> {
  const { integration } = await getIntegration(ctx, id);
  const { type, status, channels = [], last_received_at: lastReceivedAt = null } = integration;
  const result = { integration_id: id, inboundPath: inboundPath(integration), last_received_at: lastReceivedAt };
  if (status === 'disconnected') return { ...result, is_accepted: false, reason: 'disconnected' };
  if (type === 'slack') return { ...result, ...(await testChat(ctx, { id, channels })) };
  const reason = await verifySample(ctx, type, id);
  return { ...result, is_accepted: reason === null, reason };
}

async function verifySample(ctx: UseCaseContext, type: 'taskplatform' | 'github', id: string) {
  const sealed = await findSealedSecret(ctx, id);
  const signature = sealed === null ? undefined : signSample(ctx, id, sealed);
  if (signature === undefined) return 'secret_not_readable';
  const find = findOfAddress(type);
  const candidates = createCandidates((keys) => find(ctx, keys), ctx);
  const lookUps = [{ in: candidates, key: id }];
  try {
    await verifySender({ raw: sample, signature, lookUps, takesUnsigned: false, sightings: noSightings });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return 'refused';
  }
}

/** Undefined when the key that the secret was sealed with is missing. */
function signSample(ctx: UseCaseContext, id: string, sealed: string): string | undefined {
  try {
    return signatureOf(openSecret(ctx, id, sealed), sample);
  } catch (error) {
    ctx.logger.error({ err: error, integrationId: id }, 'integration secret not decryptable');
    return undefined;
  }
}
