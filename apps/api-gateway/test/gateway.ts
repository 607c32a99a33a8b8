import { randomBytes } from 'node:crypto';
import { cookiesFor, createApiKey, createAuthenticator, createSignIn } from '@eas/access';
import { errorResponse, type Scope, scopes } from '@eas/contracts';
import { createChangeWaits, type TenantLimits } from '@eas/db';
import { vetGitUrl, vetUrl } from '@eas/egress';
import { countInPostgres, createCallBudget, createStreams, type Listening, serve } from '@eas/http';
import { createChatTesting } from '@eas/chat';
import { queuesOnUse, type QueuesOnUse } from '@eas/queue';
import { createWaitingClaims, recordCallers, recordSightings } from '@eas/tasks';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { createLoopbackEgress } from '@eas/testing/egress';
import { createEndpointTesting } from '@eas/webhooks';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { gatewayApp, openApiDocument } from '../src/app.ts';
import { createOauth } from '../src/oauth/oauth.ts';
import type { RouteParts } from '../src/routes/index.ts';
import { startContractProxy } from './contract-proxy.ts';

/** What clients call, as BASE_URL says it; not where the test listens. */
export const baseUrl = 'https://api.example.com';
export const leaseSeconds = 60;
/** Requests a minute of a whole tenant, and so the most that a person gives a key. */
export const rateCeiling = 10_000;
/** Wrong credentials that one address may send. */
export const failuresPerMinute = 400;
export const cookies = cookiesFor(baseUrl);

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
export type Json = any;
export type ApiResponse = { status: number; headers: Headers; text: string; body: Json };
export type CallOptions = {
  /** The API key; null sends none. Left out: a key with every scope. */
  key?: string | null;
  headers?: Record<string, string>;
  /** Hangs up when it aborts. */
  signal?: AbortSignal;
  /** Past the proxy that checks responses: it hides hang-ups, refuses unknown methods and long addresses, joins cookies. */
  isDirect?: boolean;
};
export type KeyOptions = { rateLimit?: number; agentId?: string; tenantId?: string };

const policy = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] };
export const endpointRules: RouteParts['endpointRules'] = {
  vetUrl: (url) => vetUrl(url, policy),
  secretMinLength: 16,
};
export const repositoryRules: RouteParts['repositoryRules'] = { vetUrl: (url) => vetGitUrl(url, policy) };

type GatewayOptions = {
  limits?: TenantLimits;
  queues?: QueuesOnUse;
  supervisor?: RouteParts['supervisor'];
  /** Wrong credentials a minute from one address. */
  failures?: number;
};

/** The contract is the same for all of them. */
let document: object | undefined;

/** The gateway's app on a database of its own, with real keys and limits, behind real HTTP. */
export function useGateway({ limits, queues, supervisor, failures = failuresPerMinute }: GatewayOptions = {}) {
  const test = useTestDatabase();
  const closing = new AbortController();
  let listening: Listening;
  let direct = '';
  let address = '';
  let key = '';
  let close = async () => {};
  let rowsSql: string | undefined;

  beforeAll(async () => {
    const { database } = test;
    const sightings = recordSightings({ database, logger: silentLogger, leaseSeconds });
    const authenticator = createAuthenticator({
      database,
      logger: silentLogger,
      sessionCookie: cookies.session.name,
      onKeyUse: recordCallers(sightings),
    });
    // A pause of the machine is no failure of the store, after which the process would start its count again by itself.
    const budget = createCallBudget({
      count: countInPostgres(database.db, hangMs),
      logger: silentLogger,
      perTenant: 1_000_000_000,
      failedLookUps: failures,
    });
    const egress = createLoopbackEgress();
    const ownQueues = queuesOnUse({ databaseUrl: test.url, logger: silentLogger });
    const parts: RouteParts = {
      system: {
        version: '1.2.3',
        startedAt: new Date(),
        queueStore: 'postgres',
        settings: [],
        queues: queues ?? ownQueues,
      },
      supervisor,
      shippedWorkflows: [],
      baseUrl,
      cookies,
      signIn: createSignIn({ database, secrets: test.context().secrets, throttle: budget.attempt }),
      waitingClaims: createWaitingClaims(database.listener, closing.signal, sightings),
      changeWaits: createChangeWaits(database.listener, closing.signal),
      rateCeiling,
      endpointRules,
      repositoryRules,
      endpointTesting: createEndpointTesting(egress.send),
      chatTesting: createChatTesting(egress.send, 'https://chat.invalid/api'),
    };
    const app = gatewayApp({
      ...parts,
      document: (document ??= openApiDocument(parts, baseUrl)),
      http: {
        authenticate: authenticator.authenticate,
        tenantOf: authenticator.tenantOf,
        hasCredential: authenticator.hasCredential,
        budget,
        makeContext: (caller) => ({ ...test.context(caller), ...(limits ? { limits } : {}) }),
        logger: silentLogger,
        streams: createStreams({ listener: database.listener, logger: silentLogger, closing: closing.signal }),
        checksResponses: true,
      },
      checks: { database: () => database.ping() },
      oauth: createOauth({
        database,
        secrets: test.context().secrets,
        encryptionKeys: [randomBytes(32).toString('base64')],
        baseUrl,
        budget,
        logger: silentLogger,
      }),
    });
    listening = await serve(app, { host: '127.0.0.1', port: 0 });
    direct = `http://127.0.0.1:${listening.port}`;
    const proxy = await startContractProxy(direct, expect.getState().testPath ?? '');
    address = proxy?.url ?? direct;
    key = await makeKey(scopes);
    close = async () => {
      closing.abort();
      await proxy?.stop();
      await ownQueues.close();
      await egress.close();
      await listening.close(100);
      await authenticator.close();
      await sightings.close();
    };
  });
  afterAll(() => close());

  async function makeKey(given: readonly Scope[], options: KeyOptions = {}): Promise<string> {
    const { tenantId, agentId, rateLimit = 1_000_000 } = options;
    // Suites make a key for each of many cases.
    const limits = { keys: 1_000_000 };
    const ctx = test.context(tenantId === undefined ? { limits } : { tenantId, limits });
    return (await createApiKey(ctx, { name: 'test', scopes: given, rateLimit, ...(agentId ? { agentId } : {}) })).key;
  }

  /** Sends the bytes as they are. */
  async function send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
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
    const response = await fetch(`${options.isDirect ? direct : address}${path}`, init);
    const text = await textOf(response);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson(response) && text !== '' ? JSON.parse(text) : undefined,
    };
  }

  return {
    test,
    /** Where it listens itself, also for what the served document does not describe. */
    address: () => direct,
    makeKey,
    send,
    get: (path: string, options?: CallOptions) => send('GET', path, undefined, options),
    post: (path: string, body: unknown, options?: CallOptions) => send('POST', path, JSON.stringify(body), options),
    /** Creates a resource and gives it. */
    async make(path: string, body: unknown, options?: CallOptions): Promise<Json> {
      const result = await send('POST', path, JSON.stringify(body), options);
      if (result.status !== 201) throw new Error(`POST ${path}: ${result.status} ${result.text}`);
      return result.body;
    },
    /** What each table holds: the same again when nothing was written. */
    async rows(): Promise<Record<string, string> | undefined> {
      const { db } = test.database;
      rowsSql ??= `SELECT ${(await db.query<Table>(tablesSql)).map(rowsOf).join(', ')}`;
      return (await db.query<Record<string, string>>(rowsSql))[0];
    },
  };
}
export type Gateway = ReturnType<typeof useGateway>;

const isJson = ({ headers }: Response) => !headers.get('content-type')?.startsWith('text/csv');

/** A stream never ends: that it opened is enough here. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

/** `isTouched`: has columns that are written off the path of a call, when a credential is used or an agent seen. */
type Table = { name: string; isTouched: boolean; hasEvents: boolean };
const touched = '{last_used_at,last_seen_at,seen_by,waiting_until,presence}';

/** Partitions belong to their table; points are counted for calls that are refused as well. */
const tablesSql = `
  SELECT relname AS name, bool_or(attname = ANY ('${touched}')) AS "isTouched", bool_or(attname = 'event_id') AS "hasEvents"
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND relname NOT IN ('rate_windows', 'agent_watchers', '_prisma_migrations')
  GROUP BY relname ORDER BY relname`;

/**
 * Number and digest of the rows of a table: of their versions, which are cheapest, or of their contents without columns
 * that are written off the path of a call.
 */
function rowsOf({ name, isTouched, hasEvents }: Table): string {
  const row = isTouched ? `(to_jsonb(t) - '${touched}'::text[])::text` : 't.tableoid || t.ctid::text || t.xmin::text';
  const isCounted = hasEvents
    ? `event_id IS NULL OR event_id NOT IN (SELECT event_id FROM events WHERE event_type = 'agent.presence_changed')`
    : 'true';
  return `(
    SELECT count(*) || ' ' || coalesce(sum(hashtextextended(${row}, 0)), 0) FROM "${name}" t WHERE ${isCounted}
  ) AS "${name}"`;
}

/** The response is this error, in the REST envelope, with the request's id in header and body alike. */
export function expectError(result: ApiResponse, status: number, code: string, details: object = {}): void {
  expect({ status: result.status, body: result.body }).toMatchObject({ status, body: { error: { code } } });
  expect(result.body.error.details).toEqual(details);
  expectEnvelope(result);
}

/** The error body of the REST API and nothing else: no internals. */
export function expectEnvelope({ status, headers, text, body }: ApiResponse): void {
  expect(Object.keys(body)).toEqual(['error']);
  errorResponse.shape.error.strict().parse(body.error);
  expect(body.error.request_id).toBe(headers.get('x-request-id'));
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (body.error.errors) expect(body.error.errors[0]).toEqual(body.error.details);
  // Fields are named as the client wrote them, whatever that is.
  const fields: Json[] = [body.error.details, ...(body.error.errors ?? [])].map(({ field = '' }) => field);
  const ours = fields.reduce((rest, field) => rest.replaceAll(JSON.stringify(field).slice(1, -1), ''), text);
  expect(ours).not.toMatch(/zod|postgres|prisma|express|node_modules|\.ts:|select |insert /i);
  expect(status).toBeGreaterThanOrEqual(400);
}
