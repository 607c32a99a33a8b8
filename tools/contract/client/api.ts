// The client that openapi-typescript and openapi-fetch generate from the served document.
import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from '../tmp/api.d.ts';

const env = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

export const baseUrl = env('CONTRACT_BASE_URL');
const apiKey = env('CONTRACT_API_KEY');
/** A validating proxy is in between: it responds to malformed requests itself. */
export const isProxied = process.env['CONTRACT_PROXIED'] === 'true';

/** "get /v1/tasks": every operation that was called. */
export const called = new Set<string>();
const remember: Middleware = {
  onRequest: ({ request, schemaPath }) => void called.add(`${request.method.toLowerCase()} ${schemaPath}`),
};

export function clientWith(headers: Record<string, string>) {
  const client = createClient<paths>({ baseUrl, headers });
  client.use(remember);
  return client;
}
export const api = clientWith({ 'X-API-Key': apiKey });

type Outcome<T, E> = { data?: T; error?: E; response: Response };

export async function ok<T, E>(call: Promise<Outcome<T, E>>, status = 200): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (response.status !== status || data === undefined || data === null)
    throw new Error(`${response.status} instead of ${status} from ${response.url}: ${JSON.stringify(error ?? data)}`);
  return data;
}

export async function done(call: Promise<Outcome<unknown, unknown>>, status = 204): Promise<void> {
  const { error, response } = await call;
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status} from ${response.url}: ${JSON.stringify(error)}`);
}

export async function refused<E>(call: Promise<Outcome<unknown, E>>, status: number): Promise<NonNullable<E>> {
  const { data, error, response } = await call;
  if (response.status !== status || !error)
    throw new Error(`${response.status} instead of ${status} from ${response.url}: ${JSON.stringify(error ?? data)}`);
  return error;
}

/** A limit for hangs: a busy machine takes its time. */
const hangMs = 60_000;

/** Waits for what takes effect soon; a credential may be remembered for two seconds. */
export async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + hangMs; !(await isMet()); await new Promise((next) => setTimeout(next, 100)))
    if (Date.now() > deadline) throw new Error(`not within ${hangMs} ms`);
}

export const path = <K extends string>(name: K, id: string) => ({
  params: { path: { [name]: id } as Record<K, string> },
});

/**
 * A task of the agent's own role. Other tests leave tasks that any role may claim: they are given back for an hour.
 * `client`: of the agent's key.
 */
export async function claim(agentId: string, role: string, client = api) {
  for (;;) {
    const waiting = { ...path('agent_id', agentId), body: { wait_seconds: 30 } };
    const claimed = await ok(client.POST('/v1/agents/{agent_id}/claims', waiting));
    if (claimed.task.assigned_role === role) return claimed;
    const { lease_id, fencing_token } = claimed.lease;
    const body = { fencing_token, not_before_seconds: 3_600 };
    await ok(client.POST('/v1/leases/{lease_id}/release', { ...path('lease_id', lease_id), body }));
  }
}

export async function firstOf(stream: unknown): Promise<string> {
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}
