import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { type Api, type ApiResponse, type Call, createApi } from '../api/api.ts';
import { checkKey, type KnownAgent } from '../api/check-key.ts';
import type { Account } from '../account/account.ts';
import { readEvents, type StreamEvent } from '../api/event-stream.ts';
import { CliError, exitCodes } from './cli-error.ts';

/** The service, for a person at a terminal: what it refuses, and its absence, are thrown as CliError. */
export type Client = {
  url: string;
  get<T>(path: string, shape: z.ZodType<T>): Promise<T>;
  /** Repeated after a lost response without doing it twice. */
  post<T>(path: string, body: object, shape: z.ZodType<T>): Promise<T>;
  /** The agent whose key it is; undefined: it is another key. */
  ownAgent(): Promise<KnownAgent | undefined>;
  /** What a stream sends after `lastId` until it ends or breaks off. */
  events(path: string, lastId: string | undefined): AsyncIterable<StreamEvent>;
};

const maxTries = 3;
const maxDelayMs = 2_000;
/** Longest time that one call takes with all its tries. */
const patienceMs = 60_000;

export function openClient({ url, apiKey }: Account): Client {
  const api = createApi({ baseUrl: url, apiKey, log: () => {}, maxTries });

  const send: Api = (wanted, signal) =>
    api({ ...wanted, maxDelayMs }, signal).catch((error: unknown) => {
      throw new CliError((error as Error).message, exitCodes.unreachable);
    });

  async function call<T>(wanted: Call, shape: z.ZodType<T>): Promise<T> {
    const response = await send(wanted, AbortSignal.timeout(patienceMs));
    if (response.error) throw refusalOf(response, url);
    const read = shape.safeParse(response.body);
    if (read.success) return read.data;
    throw new CliError(`${url} responded to ${wanted.path} in a form that this version of eas cannot read.`);
  }

  return {
    url,
    get: (path, shape) => call({ method: 'GET', path }, shape),
    post: (path, body, shape) =>
      call({ method: 'POST', path, body, headers: { 'idempotency-key': randomUUID() } }, shape),
    async ownAgent() {
      const key = await checkKey(send, AbortSignal.timeout(patienceMs));
      if (key.kind === 'refused') throw refusalOf(key.response, url);
      return key.kind === 'agent' ? key.agent : undefined;
    },
    events: (path, lastId) =>
      readEvents({ url: `${url}${path}`, apiKey, lastId }, ({ status }) =>
        status >= 500 || status === 429 ? new Error(String(status)) : new CliError(`The stream is refused: ${status}.`),
      ),
  };
}

const codes: Record<number, number> = {
  401: exitCodes.notAllowed,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  412: exitCodes.conflict,
};

function refusalOf({ status, error }: ApiResponse, url: string): CliError {
  // Another program responds at this address.
  if (error?.code === 'server_error') return new CliError(`${url}: ${error.message}.`);
  const hint = status === 401 ? ` Run: eas login ${url}` : '';
  return new CliError(`${error?.message ?? `The service responded with ${status}.`}${hint}`, codes[status]);
}

/** The path of one of a collection: its id comes from a person. */
export const pathOf = (collection: string, id: string): string => `/v1/${collection}/${encodeURIComponent(id)}`;

/** A path with its query; what is undefined is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? path : `${path}?${given}`;
}
