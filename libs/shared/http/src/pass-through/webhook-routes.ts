import { chatAccepted, receiverErrorResponse } from '@eas/contracts';
import { AppError, type Logger } from '@eas/core';
import { z } from 'zod';
import { defineRoute, type RequestFacts, type Route } from '../routes/route.ts';
import { proofOf } from './gateway-proof.ts';
import { passedHeaders } from './passed-headers.ts';
import { createReceiverClient, type ReceiverResponse } from './receiver-client.ts';

export type PassThroughOptions = {
  target: string;
  /** The secret with which the gateway proves itself to the receiver. */
  secret: string;
  /** How long the receiver may take to respond; the senders themselves wait 7 s. */
  timeoutMs?: number;
};

const segment = z.string().max(100);

/**
 * The pass-through of POST /webhook/* to the receiver. A body is read to its end before it is passed on with a length
 * of our own, so its framing is not passed on; headers are passed unchanged, except those of a connection.
 */
export function webhookRoutes({ target, secret, timeoutMs = 30_000 }: PassThroughOptions): Route[] {
  const post = createReceiverClient(target, timeoutMs);
  async function passOn(
    { logger }: { logger: Logger },
    { raw, path, rawBody, requestId, remoteAddress }: RequestFacts,
  ) {
    const own = { ...proofOf(secret, remoteAddress), 'x-request-id': requestId };
    const headers = [...passedHeaders(raw.request), ...Object.entries(own).flat()];
    try {
      return readResponse(await post(path, headers, rawBody));
    } catch (error) {
      if (error instanceof AppError) throw error;
      logger.warn({ err: error }, 'webhook receiver unavailable');
      throw unavailable(error);
    }
  }
  const shared = {
    method: 'POST',
    summary: 'Pass a webhook on to its receiver',
    tags: ['Receivers'],
    access: { signature: true },
    responses: { 200: { description: 'Taken and kept.', schema: chatAccepted } },
    errors: ['invalid_request', 'forbidden', 'not_found', 'rate_limited'],
    isDocumented: false,
    handler: passOn,
  } as const;
  return [
    defineRoute({ ...shared, path: '/webhook/{kind}', params: z.object({ kind: segment }) }),
    defineRoute({
      ...shared,
      path: '/webhook/{kind}/{integration_id}',
      params: z.object({ kind: segment, integration_id: segment }),
    }),
  ];
}

const passedBack = { 'retry-after': 'Retry-After', allow: 'Allow' } as const;

/** Passes on the receiver's response; one that is not the receiver's own counts as none. */
function readResponse({ status, headers, text }: ReceiverResponse) {
  const body = parse(text);
  const accepted = chatAccepted.safeParse(body);
  if (status === 200 && accepted.success) return { status: 200, body: accepted.data } as const;
  const refusal = receiverErrorResponse.safeParse(body);
  if (status < 400 || !refusal.success)
    throw unavailable(new Error(`the receiver answered ${status} in words that are not its own`));
  const { code, message } = refusal.data.error;
  const kept = Object.entries(passedBack).flatMap(([name, shown]) => {
    const value = headers[name];
    return typeof value === 'string' ? [[shown, value]] : [];
  });
  throw new AppError(code, { status, message, headers: Object.fromEntries(kept) as Record<string, string> });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unavailable = (cause: unknown): AppError =>
  new AppError('server_error', {
    status: 503,
    message: 'The service is temporarily unavailable. Try again later.',
    headers: { 'Retry-After': '1' },
    cause,
  });
