import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Db } from '@eas/db';

/** The target of an attack: a gateway, with keys of a tenant of its own. */
export type Target = {
  url: string;
  /** Keys with every scope, at the enterprise tier. */
  apiKeys: readonly string[];
  /** Aborts when the attack has gone on long enough. */
  signal: AbortSignal;
  count(status: number | string): void;
};

export type Attack = {
  name: string;
  about: string;
  /** The documented responses; any other one is a finding. */
  allowed: readonly (number | string)[];
  /** Fills the database by SQL where the API would take too long; `share` of 1 is all of it. */
  fill?(db: Db, tenantId: string, share: number): Promise<void>;
  /** Prepares the attack before the measurement; the result is passed to `run`. */
  prepare?(target: Target): Promise<unknown>;
  /** Attacks until the signal aborts. */
  run(target: Target, prepared: unknown): Promise<void>;
};

/** Counts of the responses that are not allowed for an attack. */
export function notAllowed({ allowed }: Attack, statuses: Record<string, number>): [status: string, count: number][] {
  const names = allowed.map(String);
  return Object.entries(statuses).filter(([status]) => !names.includes(status));
}

/** The cheapest client of Node: processor time of the attacker is taken from the well-behaved tenant. */
const agent = new Agent({ keepAlive: true });

/** POSTs or GETs with a key of the attacker; the body is read to its end. */
export async function call(
  { url, apiKeys, signal }: Target,
  method: string,
  path: string,
  body?: unknown,
  number = 0,
): Promise<{ status: number; body: string }> {
  const headers = { 'x-api-key': apiKeys[number % apiKeys.length] ?? '', 'content-type': 'application/json' };
  const sent = request(url + path, { method, headers, signal, agent });
  sent.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

/** Calls in `parallel` loops until the signal aborts, with a short pause after refused calls. */
export async function hammer(
  target: Target,
  parallel: number,
  one: (number: number) => Promise<{ status: number }>,
): Promise<void> {
  let number = 0;
  const drive = async () => {
    while (!target.signal.aborted) {
      try {
        const { status } = await one((number += 1));
        target.count(status);
        if (status >= 400) await rest(50, target.signal);
      } catch (error) {
        if (target.signal.aborted) return;
        target.count(reasonOf(error));
        await rest(100, target.signal);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, drive));
}

export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? (error as { code?: string }).code ?? String(error);
}

export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
