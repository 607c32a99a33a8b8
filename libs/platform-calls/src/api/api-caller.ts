import type { OutboundRequest, Send } from '@eas/outbound';
import type { z } from 'zod';
import { classify, type PlatformResponse } from './platform-response.ts';

export type ApiParts = {
  send: Send;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Unix milliseconds. */
  now?: () => number;
};

/** `headers`: of each request, the token among them. */
type Opened = { token: string; headers: Record<string, string>; signal: AbortSignal | undefined };

export type CallApi = <T>(
  method: OutboundRequest['method'],
  path: string,
  schema: z.ZodType<T>,
  body?: object,
) => Promise<PlatformResponse<T>>;

/** Calls to an API of JSON with one token. None throws; none repeats a request. */
export function createApiCaller({ send, baseUrl, now = Date.now }: ApiParts, opened: Opened): CallApi {
  const { token, signal } = opened;
  return async (method, path, schema, body) => {
    const headers = body ? { ...opened.headers, 'content-type': 'application/json' } : opened.headers;
    const request = { method, url: `${baseUrl}${path}`, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = classify(await send(signal ? { ...request, signal } : request), schema, now());
    // The other system may repeat what it refuses.
    return 'reason' in response ? { ...response, reason: response.reason.replaceAll(token, '…') } : response;
  };
}
