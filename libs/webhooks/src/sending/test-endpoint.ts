import { exampleDataOf, type PublicEventType, type WebhookTest } from '@eas/contracts';
import { AppError, createShares, newId, type Shares } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { noEndpoint } from '../endpoints/endpoint.ts';
import { findEndpoint, findTarget } from '../endpoints/endpoint.read-model.ts';
import { openKeys } from './sending-keys.ts';
import { outcomeOf } from './attempt.ts';
import { sendSigned } from './send-signed.ts';
import type { SendRequest, WebhookResult } from './transport.ts';

/** Tests at a time of one process and of one tenant: each holds a request open for as long as the receiver takes. */
const maxTests = 100;
const maxTestsOfTenant = 5;

export type EndpointTesting = { send: SendRequest; shares: Shares };

/** What tests of one process share. `send` sends the requests. */
export const createEndpointTesting = (send: SendRequest): EndpointTesting => ({
  send,
  shares: createShares(maxTests, maxTestsOfTenant),
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
  const leave = shares.tryTake(ctx.tenantId);
  if (!leave) throw tooManyTests();
  try {
    const at = ctx.clock.now();
    const event = { eventId: newId('event'), eventType, occurredAt: at, dataText: sampleData(eventType, id) };
    const { url } = target;
    const request = { event, url, keys: openKeys(ctx, id, target), at, signal: ctx.signal };
    return testResult(event, await sendSigned(send, request));
  } finally {
    leave();
  }
}

/** The example of the contract; an event about a webhook is about this one. */
function sampleData(eventType: PublicEventType, endpointId: string): string {
  const example = exampleDataOf(eventType);
  return JSON.stringify('webhook_id' in example ? { ...example, webhook_id: endpointId } : example);
}

function testResult(
  { eventId, eventType }: { eventId: string; eventType: string },
  result: WebhookResult,
): WebhookTest {
  const sent = { event_type: eventType, event_id: eventId, duration_ms: result.durationMs };
  if (result.kind === 'failure')
    return { ...sent, outcome: outcomeOf(result), status: null, response: null, error: result.message };
  return {
    ...sent,
    outcome: outcomeOf(result),
    status: result.status,
    response: result.body.toString('utf8'),
    error: null,
  };
}

function tooManyTests(): AppError {
  const message = `The tenant cannot run another test now (limit: ${maxTestsOfTenant}). Try again when one has ended.`;
  return new AppError('conflict', { field: '', constraint: 'limit', message, headers: { 'Retry-After': '15' } });
}
