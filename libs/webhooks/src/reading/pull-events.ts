import { type Scope, typesOf, typesToRead, type WebhookEvents } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { ChangeWaits, UseCaseContext } from '@eas/db';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { eventResource } from '../events/event-resource.ts';
import { numberOfDropped } from '../events/dropped-event.read-model.ts';
import { lastEventNumber } from '../events/event-number.read-model.ts';
import { matchingEventsAfter, type MatchingEvents, numberOfEvent } from '../events/matching-event.read-model.ts';

/** A wake-up may be lost; then a waiting request reads again after this time. */
const pollMs = 15_000;
const cursorPrefix = 'v1.';

export type Pull = { endpointId: string; after: string | undefined; limit: number; waitMs: number };

/**
 * Events that match an endpoint's subscriptions and that the scopes let read, in the order of their commit. Without one
 * it waits up to `waitMs`. Throws not_found for the endpoint, 400 for an invalid cursor, 409 `limit`.
 */
export async function pullEvents(
  ctx: UseCaseContext,
  waits: ChangeWaits,
  { endpointId, after, limit, waitMs, scopes }: Pull & { scopes: readonly Scope[] },
): Promise<WebhookEvents> {
  const deadline = ctx.clock.monotonicMs() + waitMs;
  const { events } = (await getEndpoint(ctx, endpointId)).body;
  const readable = typesToRead(scopes);
  const types = [...new Set(events.flatMap(typesOf))].filter((type) => readable.includes(type));
  const pollAfter = (number: number) => matchingEventsAfter(ctx, number, { types, limit });
  const start = await startOf(ctx, after);
  const first = await pollAfter(start);
  if (isWorthSending(first) || waitMs <= 0) return pageOf(first);
  const wait = waits.enter(ctx.tenantId);
  try {
    let found = first;
    for (;;) {
      // It is registered before it reads, so that an event in between is not missed.
      found = await pollAfter(found.position);
      const remaining = deadline - ctx.clock.monotonicMs();
      if (isWorthSending(found) || remaining <= 0 || ctx.signal.aborted || waits.closing.aborted) return pageOf(found);
      await wait.sleep(Math.min(remaining, pollMs), ctx.signal);
    }
  } finally {
    wait.leave();
  }
}

/** A call that read many events returns its new cursor at once. */
const isWorthSending = ({ events, isMore }: MatchingEvents) => events.length > 0 || isMore;

function pageOf({ events, position, isMore }: MatchingEvents): WebhookEvents {
  const cursor = cursorPrefix + Buffer.from(JSON.stringify(['number', position])).toString('base64url');
  return { data: events.map(eventResource), next_cursor: cursor, has_more: isMore };
}

/** The number after which the page begins. */
async function startOf(ctx: UseCaseContext, after = ''): Promise<number> {
  if (after === '') return 0;
  if (!after.startsWith(cursorPrefix))
    return (await numberOfEvent(ctx, after)) ?? (await numberOfDropped(ctx, after)) ?? failCursor();
  const number = numberIn(after.slice(cursorPrefix.length)) ?? failCursor();
  // One of another tenant would skip what comes until then.
  return number <= (await lastEventNumber(ctx)) ? number : failCursor();
}

function numberIn(encoded: string): number | undefined {
  try {
    const [name, number] = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as unknown[];
    return name === 'number' && Number.isSafeInteger(number) && (number as number) >= 0
      ? (number as number)
      : undefined;
  } catch {
    return undefined;
  }
}

function failCursor(): never {
  throw new AppError('invalid_request', {
    field: 'after',
    constraint: 'format',
    message: 'after must be a cursor of these events, or the id of an event.',
  });
}
