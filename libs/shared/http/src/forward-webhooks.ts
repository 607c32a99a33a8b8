import { Agent, ServerResponse } from 'node:http';
import type { Logger } from '@eas/core';
import type { RequestHandler } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { errorAnswer } from './error-answer.ts';
import { requestIdOf } from './request-id.ts';

/** Where webhooks are passed on to. */
export type ForwardOptions = {
  /** Base address of the receiver, without a path. */
  target: string;
  logger: Logger;
  /** How long the receiver may take to answer; the senders themselves wait 7 s. */
  timeoutMs?: number;
};

/**
 * Mounts the pass-through of /webhook/* to the receiver: body and headers arrive as the sender wrote them, with
 * X-Forwarded-* and the request's id added. While the receiver is down the sender gets 503 with Retry-After.
 */
export function forwardWebhooks({ target, logger, timeoutMs = 30_000 }: ForwardOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const proxy = createProxyMiddleware({
    target,
    agent,
    xfwd: true,
    proxyTimeout: timeoutMs,
    timeout: timeoutMs,
    on: {
      proxyReq: (proxied, request) => proxied.setHeader('x-request-id', requestIdOf(request.headers['x-request-id'])),
      error: (error, request, response) => {
        const requestId = requestIdOf(request.headers['x-request-id']);
        logger.warn({ err: error, request_id: requestId }, 'the webhook receiver does not answer');
        if (!(response instanceof ServerResponse) || response.headersSent) return void response.destroy();
        answerUnavailable(response, requestId);
      },
    },
  });
  // Express cuts the mount's path off the URL; the receiver gets the whole one.
  const handler: RequestHandler = (request, response, next) => {
    request.url = request.originalUrl;
    return void proxy(request, response, next);
  };
  return { path: '/webhook', handler };
}

function answerUnavailable(response: ServerResponse, requestId: string): void {
  const { status, headers, body } = errorAnswer(
    Object.assign(new Error('receiver'), { code: 'ECONNREFUSED' }),
    'receiver',
    requestId,
  );
  const contentType = 'application/json; charset=utf-8';
  response.writeHead(status, { ...headers, 'x-request-id': requestId, 'content-type': contentType });
  response.end(JSON.stringify(body));
}
