import { exampleDataOf, type PublicEventType, type WebhookTest } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { createTestShares, type OutboundResult, type Send, type TestShares } from '@eas/outbound';
import { noEndpoint } from '../endpoints/endpoint.ts';
import { findEndpoint, findTarget } from '../endpoints/endpoint.read-model.ts';
import { openKeys, sendSigned } from './send-signed.ts';
import { outcomeOf } from './verdict.ts';

/** Tests at a time of one process and of one tenant: each holds a request open for as long as the receiver takes. */
const maxTests = 100;
const maxTestsOfTenant = 5;

export type EndpointTesting = { send: Send; shares: TestShares };

/** What tests of one process share. `send` sends the requests. */
export const createEndpointTesting = (send: Send): EndpointTesting => ({
  send,
  shares: createTestShares(maxTests, maxTestsOfTenant),
});

/**
 * Sends a sample event of the type to an endpoint, whatever its status, and returns the response. Nothing is stored.
 * Throws not_found, and conflict `limit` while too many others of the tenant run.
 */
export async function testEndpoint(
  ctx: UseCaseContext,
  { id, eventType }: { id: string; eventType: PublicEventType },
  { send, shares }: EndpointTesting,
): Promise<WebhookTest> {
  const [endpoint, target] = await Promise.all([findEndpoint(ctx, id), findTarget(ctx, id)]);
  if (!endpoint || !target) throw noEndpoint();
  return shares.run(ctx.tenantId, async () => {
    const at = ctx.clock.now();
    const event = { eventId: newId('event'), eventType, occurredAt: at, dataText: sampleData(eventType, id) };
    const { url } = target;
    const request = { event, url, keys: openKeys(ctx, id, target), at, signal: ctx.signal };
    return testResult(event, await sendSigned(send, request));
  });
}

/** The example of the contract; an event about a webhook is about this one. */
function sampleData(eventType: PublicEventType, endpointId: string): string {
  const example = exampleDataOf(eventType);
  return JSON.stringify('webhook_id' in example ? { ...example, webhook_id: endpointId } : example);
}

function testResult(
  { eventId, eventType }: { eventId: string; eventType: string },
  result: OutboundResult,
): WebhookTest {
  const response = result.kind === 'response' ? result : undefined;
  return {
    event_type: eventType,
    event_id: eventId,
    duration_ms: result.durationMs,
    outcome: outcomeOf(result),
    status: response?.status ?? null,
    response: response?.body.toString('utf8') ?? null,
    error: result.kind === 'failure' ? result.message : null,
  };
}
