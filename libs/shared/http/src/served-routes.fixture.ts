import { type IncomingMessage, request as nodeRequest } from 'node:http';
import { connect } from 'node:net';
import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { afterAll, beforeAll } from '@jest/globals';
import { type HttpDeps, type Listening, mountRoutes, type Route, serve } from './index.ts';

export const silent = { error() {}, warn() {}, info() {}, debug() {} };

/** Any caller that sends X-API-Key: good. */
export const keyHolder: Principal = {
  tenantId: 'tnt_1',
  kind: 'key',
  credentialId: 'key_1',
  actor: { id: 'key_1' },
  scopes: ['tasks:read', 'tasks:write'],
  rateLimit: 100,
};

/** Any caller that sends the cookie session=good. */
export const person: Principal = {
  ...keyHolder,
  kind: 'session',
  credentialId: 'ses_1',
  sessionId: 'ses_1',
  actor: { id: 'usr_1' },
  csrfToken: 'token-of-the-session',
};

const authenticate: HttpDeps['authenticate'] = ({ 'x-api-key': key, cookie }) => {
  if (key === 'good') return keyHolder;
  if (key === undefined && cookie === 'session=good') return person;
  throw new AppError('unauthorized', { headers: { 'WWW-Authenticate': 'ApiKey' } });
};

const refusal = new AppError('rate_limited', {
  message: 'More than 9 requests in a minute. Try again in a minute.',
  headers: { 'Retry-After': '60' },
});

/** Windows in which so many calls are left: below 0 a call is refused. */
export const leaving = (left: () => number) => async () => {
  const remaining = left();
  const state = { limit: 100, remaining: Math.max(0, remaining), resetAtSeconds: 2_000_000_000 };
  return remaining < 0 ? { ...state, refusal } : state;
};

/** Counts nothing and admits everything. */
export const openBudget: NonNullable<HttpDeps['budget']> = {
  take: leaving(() => 99),
  charge() {},
  lookUps: { isPaced: () => false, async ask() {}, async count() {} },
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
export type ApiResponse = { status: number; headers: Headers; text: string; body: any };

/** The routes behind real HTTP, without a database. */
export function serveRoutes(routes: readonly Route[], deps: Partial<HttpDeps> = {}, times: object = {}) {
  let listening: Listening;
  beforeAll(async () => {
    const app = mountRoutes(routes, {
      authenticate,
      makeContext: (caller) => caller as unknown as UseCaseContext,
      logger: silent,
      checksResponses: true,
      ...deps,
    });
    listening = await serve(app, { host: '127.0.0.1', port: 0, ...times });
  });
  afterAll(() => listening.close(100));

  async function call(method: string, path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const url = `http://127.0.0.1:${listening.port}${path}`;
    const response = await fetch(url, { redirect: 'manual', ...init, method });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  }

  /** Names that fetch keeps to itself: Origin, Host. */
  function callAs(headers: Record<string, string>, method: string, path: string, body?: string): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const sent = nodeRequest({ port: listening.port, host: '127.0.0.1', method, path, headers }, (response) => {
        response.toArray().then((chunks) => resolve(responseOf(response, Buffer.concat(chunks).toString())), reject);
      });
      sent.on('error', reject).end(body);
    });
  }

  /** Writes the bytes and returns everything received until the connection ends. */
  function sendRaw(bytes: string): Promise<string> {
    return new Promise((resolve) => {
      let text = '';
      const socket = connect(listening.port, '127.0.0.1', () => void socket.write(bytes, 'latin1'));
      socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
      socket.on('error', () => {}).once('close', () => resolve(text));
    });
  }

  return { call, callAs, sendRaw, port: () => listening.port };
}

function responseOf({ statusCode = 0, headers }: IncomingMessage, text: string): ApiResponse {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  const isJson = headers['content-type']?.includes('json');
  return { status: statusCode, headers: new Headers(pairs), text, body: isJson && text ? JSON.parse(text) : undefined };
}
