import { createApiKey, createAuthenticator } from '@eas/access';
import { errorResponse, type Scope, scopes } from '@eas/contracts';
import { vetUrl } from '@eas/egress';
import { countInPostgres, createRateLimiter, type Listening, serve } from '@eas/http';
import { createWaitingRoom } from '@eas/tasks';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { gatewayApp } from '../src/app.ts';
import type { RouteParts } from '../src/routes/index.ts';

/** What clients call, as BASE_URL says it; not where the test listens. */
export const baseUrl = 'https://api.example.com';
export const leaseSeconds = 60;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are walked freely, as a client would
export type Json = any;
export type Answer = { status: number; headers: Headers; text: string; body: Json };
export type CallOptions = {
  /** The API key; null sends none. Left out: a key with every scope. */
  key?: string | null;
  headers?: Record<string, string>;
  /** Hangs up when it aborts. */
  signal?: AbortSignal;
};
export type KeyOptions = { rateLimit?: number; agentId?: string; tenantId?: string };

const policy = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] };
export const endpointRules: RouteParts['endpointRules'] = {
  vetUrl: (url) => vetUrl(url, policy),
  secretMinLength: 1,
};

/** The gateway's app on a database of its own, with real keys and limits, behind real HTTP. */
export function useGateway() {
  const test = useTestDatabase();
  const closing = new AbortController();
  let listening: Listening;
  let key = '';
  let close = async () => {};

  beforeAll(async () => {
    const { database } = test;
    const authenticator = createAuthenticator({ database, logger: silentLogger });
    const app = gatewayApp({
      door: {
        authenticate: authenticator.authenticate,
        makeContext: (caller) => test.context(caller),
        limit: createRateLimiter({ count: countInPostgres(database.db), logger: silentLogger }),
        logger: silentLogger,
        checksAnswers: true,
      },
      checks: { database: () => database.ping() },
      baseUrl,
      room: createWaitingRoom(database.listener, closing.signal),
      leaseSeconds,
      endpointRules,
    });
    listening = await serve(app, { host: '127.0.0.1', port: 0 });
    key = await makeKey(scopes);
    close = async () => {
      closing.abort();
      await listening.close(100);
      await authenticator.close();
    };
  });
  afterAll(() => close());

  async function makeKey(given: readonly Scope[], options: KeyOptions = {}): Promise<string> {
    const { tenantId, agentId, rateLimit = 1_000_000 } = options;
    const ctx = test.context(tenantId === undefined ? {} : { tenantId });
    return (await createApiKey(ctx, { name: 'test', scopes: given, rateLimit, ...(agentId ? { agentId } : {}) })).key;
  }

  /** Sends the bytes as they are. */
  async function send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    options: CallOptions = {},
  ): Promise<Answer> {
    const credential = options.key === undefined ? key : options.key;
    const headers: Record<string, string> = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(credential === null ? {} : { 'x-api-key': credential }),
      ...options.headers,
    };
    const init = {
      method,
      headers,
      ...(body === undefined ? {} : { body: body as RequestInit['body'] }),
      signal: options.signal ?? null,
    };
    const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  return {
    test,
    makeKey,
    send,
    get: (path: string, options?: CallOptions) => send('GET', path, undefined, options),
    post: (path: string, body: unknown, options?: CallOptions) => send('POST', path, JSON.stringify(body), options),
    /** Creates a resource and gives it. */
    async make(path: string, body: unknown, options?: CallOptions): Promise<Json> {
      const answer = await send('POST', path, JSON.stringify(body), options);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    /** How many rows each table holds that a call could write to. */
    rows: async () => (await test.database.db.query<Record<string, number>>(rowsSql))[0],
  };
}
export type Gateway = ReturnType<typeof useGateway>;

const tables = [
  'tasks',
  'task_timeline',
  'agents',
  'leases',
  'endpoints',
  'integrations',
  'events',
  'outbox',
  'deliveries',
  'idempotency_records',
];
const rowsSql = `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')}`;

/** The answer is this error, in the REST envelope, with the request's id in header and body alike. */
export function expectError(answer: Answer, status: number, code: string, details: object = {}): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { error: { code } } });
  expect(answer.body.error.details).toEqual(details);
  expectEnvelope(answer);
}

/** The error body of the REST API and nothing beside it; nothing of the inside shows. */
export function expectEnvelope({ status, headers, text, body }: Answer): void {
  expect(Object.keys(body)).toEqual(['error']);
  errorResponse.shape.error.strict().parse(body.error);
  expect(body.error.request_id).toBe(headers.get('x-request-id'));
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (body.error.errors) expect(body.error.errors[0]).toEqual(body.error.details);
  expect(text).not.toMatch(/zod|postgres|prisma|express|node_modules|\.ts:|select |insert /i);
  expect(status).toBeGreaterThanOrEqual(400);
}
