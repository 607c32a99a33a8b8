import type { z } from 'zod';

export type Api = {
  baseUrl: string;
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /** Undefined for 204. */
  post<T>(path: string, body: unknown, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T | undefined>;
};

/** Calls give up after that long; a waiting claim takes up to 30 s by itself. */
const patienceMs = 40_000;

export function createApi(baseUrl: string, apiKey: string): Api {
  async function call<T>(method: string, path: string, schema: z.ZodType<T>, body?: unknown, signal?: AbortSignal) {
    const timeout = AbortSignal.timeout(patienceMs);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text.slice(0, 400)}`);
    return response.status === 204 ? undefined : schema.parse(JSON.parse(text));
  }
  return {
    baseUrl,
    async get(path, schema) {
      const response = await call('GET', path, schema);
      if (response === undefined) throw new Error(`GET ${path} returned nothing`);
      return response;
    },
    post: (path, body, schema, signal) => call('POST', path, schema, body, signal),
  };
}
