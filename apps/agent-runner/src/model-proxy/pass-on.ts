import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Upstream } from '../presets/providers.ts';
import { createUsageReader } from './usage-reader.ts';
import type { Usage, WireFormat } from './wire-formats.ts';

export type Passed = {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  upstream: Upstream;
  /** Behind the base address, with its query. */
  path: string;
  signal: AbortSignal;
  /** Unset: nothing is read of the response. */
  format?: WireFormat;
  /** Called once the provider may have the whole request. */
  onSent?: () => void;
};

/** `isFailure`: the provider did not take the call. `usage`: undefined where the response did not say it to its end. */
export type PassResult = { isFailure: boolean; usage: Usage | undefined };

/** Headers that belong to one connection, keys, and what would hide the response from reading. */
const dropped =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|accept-encoding|authorization|x-api-key|x-goog-api-key|cookie)$/i;
const droppedOfResponse = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie)$/i;

/**
 * Sends a request on with the operator's key, and its response back as it comes, with back-pressure. Nothing is tried
 * again: agents do that themselves. Throws when the provider cannot be reached, or when one side breaks off before the
 * usage is known.
 */
export async function passOn(passed: Passed): Promise<PassResult> {
  const { response, signal, format } = passed;
  const answer = await send(passed);
  const { statusCode = 502, headers } = answer;
  response.writeHead(statusCode, headersWithout(headers, droppedOfResponse));
  const isStream = /event-stream/i.test(headers['content-type'] ?? '');
  const reader = format && createUsageReader(format, { isStream });
  const isFailure = statusCode >= 400;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      reader?.add(chunk);
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    }
    response.end();
  } catch (error) {
    // Agents hang up once they have read what they need.
    if (!reader?.isFinal()) throw error;
    response.destroy();
  }
  return { isFailure, usage: reader?.end() };
}

async function send({ request, body, upstream, path, signal, onSent }: Passed): Promise<IncomingMessage> {
  const { baseUrl, headers } = upstream;
  const url = new URL(`${baseUrl.href.replace(/\/$/, '')}${path}`);
  const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: request.method ?? 'GET',
    headers: {
      ...headersWithout(request.headers, dropped),
      ...headers,
      'accept-encoding': 'identity',
      ...(body.length > 0 ? { 'content-length': body.length } : {}),
    },
    signal,
  });
  sent.end(body, onSent);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

function headersWithout(headers: IncomingMessage['headers'], names: RegExp): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}
