// Plain HTTP as the document describes it: no generated client, no schema of the service.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type Json = any;
export type Reply = { status: number; headers: Headers; text: string; body: Json };
type Request = { key?: string | null; headers?: Record<string, string>; body?: unknown; method?: string };

const { CONTRACT_BASE_URL = '', CONTRACT_API_KEY = '' } = process.env;
export const baseUrl = CONTRACT_BASE_URL;
/** Differs from that of an earlier run on the same system. */
export const run = randomUUID().slice(0, 8);

/** `key: null` sends no credential. A body that is a string is sent as it is. */
export async function call(path: string, { key, headers = {}, body, method }: Request = {}): Promise<Reply> {
  const credential: Record<string, string> = key === null ? {} : { 'X-API-Key': key ?? CONTRACT_API_KEY };
  const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(baseUrl + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...credential, ...json, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** The body of a response that has to be a success. */
export async function ok(path: string, request?: Request): Promise<Json> {
  const { status, text, body } = await call(path, request);
  assert.ok(status >= 200 && status < 300, `${status} from ${path}: ${text}`);
  return body;
}

export const post = (path: string, body: unknown): Promise<Json> => ok(path, { body });
export const remove = (path: string): Promise<Json> => ok(path, { method: 'DELETE' });

/** The error of a response that has to have this status. */
export async function refused(status: number, path: string, request?: Request): Promise<Json> {
  const reply = await call(path, request);
  assert.equal(reply.status, status, `${reply.status} from ${path}: ${reply.text}`);
  return reply.body.error;
}

export async function makeKey(fields: object): Promise<string> {
  return (await post('/admin/api/keys', { name: `Interface ${run}`, ...fields })).key;
}

/** Reads until the value is as it has to be; the last one, when that takes too long. */
export async function eventually<T>(read: () => Promise<T>, isMet: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const value = await read();
    if (isMet(value) || Date.now() > deadline) return value;
  }
}
