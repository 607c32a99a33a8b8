import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database, UseCaseContext } from '@eas/db';
import { hangMs } from '@eas/testing/eventually';
import { createPlatformApi } from '@eas/task-platform';
import { createSender } from '@eas/outbound';
import { callKind } from '@eas/platform-calls';
import { createCallTargets } from '../src/index.ts';
import { createSourceHostApi } from '@eas/source-host';
import { sendByFetch } from '@eas/platform-calls/send-by-fetch';

export type PlatformRequest = { method: string; path: string; query: URLSearchParams; token: string; body: unknown };
/** A function answers by itself; undefined: it never does. */
export type PlatformAnswer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | ((request: PlatformRequest) => { status: number; body?: unknown });

/** A task platform on loopback. What it answers is set by method and path. */
export async function startPlatform() {
  const answers = new Map<string, PlatformAnswer>();
  const requests: PlatformRequest[] = [];
  const server: Server = createServer((incoming, response) => void respond(incoming, response));
  async function respond(incoming: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '/', 'http://platform');
    const text = Buffer.concat(chunks).toString();
    const { method = 'GET' } = incoming;
    const request = {
      method,
      path: url.pathname,
      query: url.searchParams,
      token: String(incoming.headers.authorization),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    requests.push(request);
    const answer = answers.get(`${method} ${url.pathname}`) ?? { status: 404, body: { err: 'not here' } };
    if (answer === 'hang') return;
    const { status, body, headers } =
      typeof answer === 'function' ? { headers: undefined, ...answer(request) } : { headers: undefined, ...answer };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** `what`: method and path. */
    answer: (what: string, answer: PlatformAnswer) => void answers.set(what, answer),
    made: (what: string) => requests.filter(({ method, path }) => `${method} ${path}` === what),
    reset() {
      answers.clear();
      requests.length = 0;
    },
    /** Ends what hangs. */
    hangUp: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type TestDatabase = { readonly database: Database; context(options?: { tenantId?: string }): UseCaseContext };

/** A process that makes calls to the platform; each takes at most `deadlineMs`. */
export function platformCaller(test: TestDatabase, url: string, deadlineMs = hangMs, slowMs?: number) {
  const reports: string[] = [];
  const api = { send: sendByFetch(deadlineMs), baseUrl: url };
  const apis = { openPlatform: createPlatformApi(api), openSourceHost: createSourceHostApi(api) };
  const calling = createSender(callKind(createCallTargets(apis), slowMs), {
    database: test.database,
    contextOf: (tenantId) => test.context({ tenantId }),
    logger: test.context().logger,
    onAttempt: ({ message, outcome }) => void reports.push(`${message.kind} ${outcome}`),
  });
  return {
    calling,
    reports,
    /** Makes calls until none is due. */
    async run() {
      for (let round = 0; round < 50; round += 1) {
        const before = reports.length;
        await calling.sweep();
        await calling.drain();
        if (reports.length === before) return;
      }
    },
  };
}

/** Calls of a tenant, as they are stored. */
export const callsOf = ({ database }: TestDatabase, tenantId: string) =>
  database.db.query<{ kind: string; state: string; error: string | null; attempts: number; externalId: string }>(
    `SELECT kind, state, last_error AS error, attempts, external_id AS "externalId" FROM platform_calls
     WHERE tenant_id = $1 ORDER BY created_at, kind, external_id`,
    [tenantId],
  );

/** As if the time until the next call had passed. */
export const passTime = ({ database }: TestDatabase, tenantId: string) =>
  Promise.all([
    database.db.query(`UPDATE platform_calls SET due_at = app_now() WHERE tenant_id = $1 AND state = 'waiting'`, [
      tenantId,
    ]),
    database.db.query(
      `UPDATE platform_apis SET due_at = app_now(), paused_until = NULL, slot_at = app_now() WHERE tenant_id = $1`,
      [tenantId],
    ),
  ]);

/** What other tests want called is not called any more. */
export const forgetCalls = ({ database }: TestDatabase) => database.db.query('UPDATE platform_apis SET due_at = NULL');
