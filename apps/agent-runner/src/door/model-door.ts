import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import { passBudgets, unused } from './budget-gate.ts';
import { passOn } from './pass-on.ts';
import type { ModelAccess } from '../presets/model-access.ts';
import type { Upstream } from './providers.ts';
import { isFree, type WireFormat, wireFormats } from './wire-formats.ts';

export type DoorParts = {
  keeper: Pick<LeaseKeeper, 'call'>;
  upstreams: readonly Upstream[];
  log: Log;
};

/** Where the agent of one task reaches its models, instead of their providers. */
export type ModelDoor = ModelAccess & {
  /** Which budget refused the last call, once; undefined: none was since it was asked. */
  takeRefusal(): string | undefined;
  /** Breaks off what is left, once what calls used is reported. */
  close(): Promise<void>;
};

/** Largest request. Images and long sessions are some MB. */
const maxRequestBytes = 64 * 1_024 * 1_024;
/** Time that reports have when the task is over. */
const reportMs = 5_000;

/** Opens a door on the loopback interface: it puts the key of the operator into calls, and holds them to budgets. */
export async function openModelDoor({ keeper, upstreams, log }: DoorParts): Promise<ModelDoor> {
  const token = `eas-task-${randomBytes(24).toString('base64url')}`;
  const ending = new AbortController();
  const calls = new Set<Promise<void>>();
  let refused: string | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://door');
    const [, provider = '', ...rest] = url.pathname.split('/');
    const upstream = upstreams.find(({ id }) => id === provider);
    const path = `/${rest.join('/')}`;
    if (!upstream) return sendJson(response, 404, { error: { message: `The runner has no key of ${provider}.` } });
    if (!isSame(tokenOf(request, url), token))
      return sendJson(response, 401, { error: { message: 'The token is not that of the task.' } });
    url.searchParams.delete('key');
    const format = wireFormats.find((one) => one.provider === provider && one.isCall(path));
    const target = { upstream, path: `${path}${url.search}`, signal: abortOf(response, ending.signal) };
    if (format && request.method === 'POST')
      return serveCall(request, response, { ...target, format, path: target.path });
    if (isFree(request.method ?? '', path)) {
      const body = (await bodyOf(request)) ?? Buffer.alloc(0);
      return void (await passOn({ request, response, body, ...target }));
    }
    return sendJson(response, 404, { error: { message: `The runner does not pass on ${request.method} ${path}.` } });
  }

  type Target = { upstream: Upstream; path: string; signal: AbortSignal; format: WireFormat };
  async function serveCall(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    const { format, path, signal } = target;
    const given = await bodyOf(request);
    if (!given) return sendJson(response, 413, format.refusal('The request is larger than 64 MiB.'));
    const json = objectIn(given);
    if (!json) return sendJson(response, 400, format.refusal('The request is not a JSON object.'));
    const prepared = format.prepare(json);
    const body = prepared === json ? given : Buffer.from(JSON.stringify(prepared));
    const facts = format.factsOf(json, path.split('?')[0] ?? path);
    const gate = await passBudgets(keeper, { ...facts, bytes: body.length }, signal);
    if ('refusal' in gate) {
      if (gate.isBudget) refused = gate.refusal;
      log(`a call to ${facts.model} was refused: ${gate.refusal}`);
      return sendJson(response, 400, format.refusal(gate.refusal));
    }
    const { isFailure, usage } = await passOn({ request, response, body, ...target }).catch(async (error: unknown) => {
      // What was not reached has cost nothing; what was broken off counts as estimated.
      if (!response.headersSent && !signal.aborted) await gate.end(unused);
      throw error;
    });
    await gate.end(isFailure ? unused : usage);
  }

  const server = createServer((request, response) => {
    const call = serve(request, response)
      .catch((error: unknown) => {
        if (!response.headersSent && !response.destroyed)
          sendJson(response, 502, { error: { message: `The model was not reached: ${(error as Error).message}` } });
        else response.destroy();
      })
      .finally(() => calls.delete(call));
    calls.add(call);
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    addresses: Object.fromEntries(upstreams.map(({ id }) => [id, `http://127.0.0.1:${port}/${id}`])),
    token,
    takeRefusal() {
      const last = refused;
      refused = undefined;
      return last;
    },
    async close() {
      ending.abort();
      server.close();
      await Promise.race([Promise.all(calls), sleep(reportMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

/** As each of the formats sends it. */
function tokenOf({ headers }: IncomingMessage, { searchParams }: URL): string {
  const { authorization = '', 'x-api-key': key, 'x-goog-api-key': googleKey } = headers;
  const given = key ?? googleKey ?? searchParams.get('key') ?? authorization.replace(/^Bearer /i, '');
  return String(given);
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Aborts when the agent hangs up, or the door closes. */
function abortOf(response: ServerResponse, ending: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, ending]);
}

/** Undefined: it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxRequestBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function objectIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
