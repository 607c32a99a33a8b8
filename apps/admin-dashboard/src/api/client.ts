import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/api.ts';
import { basePath } from './base-path.ts';
import { asProblem, offlineProblem, problemOf } from './problem.ts';
import { csrfToken, renewToken, waitForSignIn } from './session.ts';

export type Schemas = components['schemas'];

/** The API as the contract describes it. Give its calls to `read`. */
export const api = createClient<paths>({ baseUrl: location.origin + basePath, fetch: sendSigned });

type Result<T> = { data?: T; error?: unknown; response: Response };

/** What a call returned; throws a Problem. */
export async function read<T>(call: Promise<Result<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (response.ok) return data as NonNullable<T>;
  throw problemOf(response.status, response.headers, error);
}

/** A resource as it was read, and the version that a change of it names. */
export type Versioned<T> = { value: T; etag: string };

/** Like `read`, with the version. */
export async function readVersion<T>(call: Promise<Result<T>>): Promise<Versioned<NonNullable<T>>> {
  const value = await read(call);
  const etag = (await call).response.headers.get('etag');
  // Without a version a change would overwrite what this page has not read.
  if (etag === null) throw asProblem(new Error('The service sent no version of this. Try again later.'));
  return { value, etag };
}

/** Sends with the session's token. When the session has ended, the request waits until the person signs in again. */
export async function sendSigned(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await send(request);
  if (response.status === 401) {
    await waitForSignIn();
    return send(again);
  }
  if (response.status === 403 && request.method !== 'GET' && (await renewToken())) return send(again);
  return response;
}

async function send(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('x-csrf-token', csrfToken());
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw offlineProblem();
  }
}
