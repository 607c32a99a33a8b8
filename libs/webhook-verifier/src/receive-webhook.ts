// What the handlers for Node and for fetch have in common: from the body that was read to the response.
import { assertOptions, type RefusalReason, type VerifyOptions, verifyWebhook } from './verify-webhook.ts';
import { type WebhookEvent } from './webhook-event.ts';
import { type WebhookHeaders } from './webhook-headers.ts';

/** Where handled events are recorded. A `Set` is one, for tests; in production it outlives the process and all replicas share it. */
export type SeenEvents = {
  has(eventId: string): boolean | Promise<boolean>;
  add(eventId: string): unknown;
};

export type HandlerOptions = VerifyOptions & {
  /** Handles an event. If it throws or rejects, the response is a 500 and the service sends the event again. */
  onEvent: (event: WebhookEvent) => unknown;
  /** Asked before `onEvent`, added to after it has succeeded. An event that it has is answered with 200 and not handled. */
  seen?: SeenEvents;
  /** A larger body is refused with 413; 262144 by default. */
  maxBodyBytes?: number;
  /** Receives what made the response a 500; logs to the console by default. */
  onError?: (error: unknown, event?: WebhookEvent) => void;
};

export type BodyRead = { bytes: Uint8Array } | { problem: 'too_large' | 'already_read' | 'incomplete' };
type Answer = { status: number; body: object };
export type Receive = (headers: WebhookHeaders, read: (limit: number) => Promise<BodyRead>) => Promise<Answer>;

const defaultMaxBodyBytes = 262_144;
const alreadyRead =
  'The body was read before the webhook handler. Mount the handler before body parsers, or parse this route with express.raw().';

const refusals: Record<RefusalReason | 'too_large' | 'incomplete', [status: number, message: string]> = {
  missing_header: [400, 'A header of the signature is missing.'],
  malformed_header: [400, 'A header of the signature is malformed.'],
  malformed_body: [400, 'The body is not an event.'],
  incomplete: [400, 'The body is incomplete.'],
  bad_signature: [401, 'The signature does not match the body.'],
  too_old: [401, 'webhook-timestamp is too long ago.'],
  too_new: [401, 'webhook-timestamp is in the future.'],
  too_large: [413, 'The body is too large.'],
};

const refused = (code: keyof typeof refusals): Answer => problem(refusals[code][0], code, refusals[code][1]);
const problem = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message } },
});

/** Throws on wrong options; what it returns never rejects. */
export function createReceive(options: HandlerOptions): Receive {
  assertOptions(options);
  const { maxBodyBytes = defaultMaxBodyBytes } = options;
  if (!(maxBodyBytes > 0)) throw new TypeError('maxBodyBytes must be a number above 0.');
  const handle = handlerOf(options);
  return async (headers, read) => {
    let event: WebhookEvent | undefined;
    try {
      const body = await read(maxBodyBytes);
      if ('problem' in body) {
        if (body.problem !== 'already_read') return refused(body.problem);
        report(options, new TypeError(alreadyRead));
        return problem(500, 'body_already_read', alreadyRead);
      }
      const result = await verifyWebhook({ headers, body: body.bytes }, options);
      if (!result.ok) return refused(result.reason);
      event = result.event;
      return { status: 200, body: { ok: true, duplicate: await handle(event) } };
    } catch (error) {
      report(options, error, event);
      return problem(500, 'handler_failed', 'The event was not handled.');
    }
  };
}

/** Returns whether the event is a duplicate. One that is sent again while it is being handled shares that result. */
function handlerOf({ onEvent, seen }: HandlerOptions): (event: WebhookEvent) => Promise<boolean> {
  const running = new Map<string, Promise<boolean>>();
  const handle = async (event: WebhookEvent): Promise<boolean> => {
    if (await seen?.has(event.event_id)) return true;
    await onEvent(event);
    await seen?.add(event.event_id);
    return false;
  };
  if (!seen) return handle;
  return async (event) => {
    const same = running.get(event.event_id);
    if (same) return same.then(() => true);
    const work = handle(event).finally(() => running.delete(event.event_id));
    running.set(event.event_id, work);
    return work;
  };
}

function report({ onError }: HandlerOptions, error: unknown, event?: WebhookEvent): void {
  try {
    if (onError) return onError(error, event);
    // eslint-disable-next-line no-console -- the only place that a receiver without a logger looks at
    console.error('webhook not handled', event?.event_id ?? '', error);
  } catch {
    // a logger that fails must not change the response
  }
}
