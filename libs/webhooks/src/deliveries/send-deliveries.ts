import { type JobPayload, maxDeliveriesPerJob, type Send } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { attemptRow } from './attempt.ts';
import { recordAttempts } from './attempt.store.ts';
import {
  buryUnsent,
  claimDeliveries,
  type ClaimedDelivery,
  queueBacklog,
  releaseDeliveries,
} from './delivery.store.ts';
import { secretPlace } from '../endpoints/endpoint.ts';
import { findTarget } from '../endpoints/endpoint.read-model.ts';
import { disableEndpoint } from '../endpoints/endpoint.store.ts';
import { payloadBytes } from './payload.ts';
import { sendJobs } from './send-jobs.ts';
import { maxConcurrentPosts, startingMs } from './sending-limits.ts';
import { signatureHeaders } from './signature.ts';
import type { SendRequest, WebhookResult } from './transport.ts';
import { judge, type RetryPolicy } from './verdict.ts';

export type DeliverySending = { send: SendRequest; retry: RetryPolicy };

/** `secret` is undefined when it does not open: nothing can be signed, so nothing is sent. */
type Address = { endpointId: string; url: string; secret: string | undefined };

/**
 * Sends those of the job's deliveries that are still due, some at a time, and records each attempt with what follows
 * from it. What cannot be started in time is given back.
 */
export async function sendDeliveries(
  ctx: UseCaseContext,
  { endpoint_id: endpointId, event_ids: eventIds }: JobPayload<'delivery.send'>,
  sending: DeliverySending,
): Promise<{ then: Send[] }> {
  const startedMs = ctx.clock.monotonicMs();
  const [claimed, target] = await Promise.all([
    claimDeliveries(ctx, endpointId, eventIds),
    findTarget(ctx, endpointId),
  ]);
  if (claimed.length === 0) return { then: [] };
  if (!target?.isActive) {
    await buryUnsent(ctx, endpointId, eventIdsOf(claimed));
    return { then: [] };
  }
  const address = { endpointId, url: target.url, secret: openSecret(ctx, endpointId, target.secret) };
  const isTimeToStart = () => !ctx.signal.aborted && ctx.clock.monotonicMs() - startedMs < startingMs;
  const unsent = await inLanes(claimed, maxConcurrentPosts, async (delivery) => {
    return isTimeToStart() && (await sendOne(ctx, delivery, address, sending));
  });
  if (unsent.length > 0) await releaseDeliveries(ctx, endpointId, eventIdsOf(unsent));
  return { then: ctx.signal.aborted || eventIds.length < maxDeliveriesPerJob ? [] : await nextJob(ctx, endpointId) };
}

function openSecret(ctx: UseCaseContext, endpointId: string, sealed: string): string | undefined {
  try {
    return ctx.secrets.open(sealed, secretPlace(ctx.tenantId, endpointId));
  } catch (error) {
    ctx.logger.error({ err: error, endpointId }, 'the secret of an endpoint does not open; its deliveries fail');
    return undefined;
  }
}

/** A full job usually leaves a backlog behind it: the next one follows at once and need not wait for the sweep. */
async function nextJob(ctx: UseCaseContext, endpointId: string): Promise<Send[]> {
  const eventIds = await queueBacklog(ctx, endpointId, maxDeliveriesPerJob);
  return sendJobs(eventIds.map((eventId) => ({ tenantId: ctx.tenantId, endpointId, eventId })));
}

/** Makes one attempt. False: it was given up here and is not to be counted. */
async function sendOne(
  ctx: UseCaseContext,
  delivery: ClaimedDelivery,
  { endpointId, url, secret }: Address,
  { send, retry }: DeliverySending,
): Promise<boolean> {
  const startedAt = ctx.clock.now();
  const result =
    secret === undefined
      ? secretFailure
      : await send({ ...signedRequest(delivery, secret, startedAt), url, signal: ctx.signal });
  if (ctx.signal.aborted && result.kind === 'failure') return false;
  const number = delivery.attempts + 1;
  const verdict = judge(result, number, retry, ctx.clock.now());
  // Before the record: should this process die between the two, the delivery ends at the disabled endpoint.
  if (verdict.kind === 'dead' && verdict.disablesEndpoint && (await disableEndpoint(ctx, endpointId)))
    ctx.logger.info({ endpointId }, 'the endpoint answered 410 and was disabled');
  const key = { tenantId: ctx.tenantId, eventId: delivery.eventId, endpointId };
  const isRecorded = await ctx.gather(recordAttempts, attemptRow(key, { number, startedAt, result, verdict }));
  if (!isRecorded) ctx.logger.warn({ ...key, number }, 'an attempt came too late to be recorded: it was made twice');
  return true;
}

const secretFailure: WebhookResult = {
  kind: 'failure',
  reason: 'secret',
  message: 'The secret of the endpoint does not open.',
  durationMs: 0,
};

function signedRequest(delivery: ClaimedDelivery, secret: string, at: Date) {
  const body = payloadBytes(delivery);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'engineering-agent-service',
    ...signatureHeaders(secret, { eventId: delivery.eventId, body, at }),
  };
  return { method: 'POST' as const, headers, body };
}

function eventIdsOf(deliveries: readonly ClaimedDelivery[]): string[] {
  return deliveries.map(({ eventId }) => eventId);
}

/** Runs `work` over the items, `lanes` at a time, in order. Gives those for which it said false. */
async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<boolean>): Promise<T[]> {
  const waiting = [...items];
  const refused: T[] = [];
  const runLane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      if (!(await work(item))) refused.push(item);
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, runLane));
  // Only now: whoever waits for this work waits for every lane of it.
  const failed = settled.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
  return refused;
}
