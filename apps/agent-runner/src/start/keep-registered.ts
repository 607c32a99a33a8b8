import { setTimeout as sleep } from 'node:timers/promises';
import type { RegisterRunnerBody } from '@eas/contracts';
import { z } from 'zod';
import type { Api, ApiResponse, Call } from '../api/api.ts';
import type { Log } from '../log.ts';

export type RegistrationParts = {
  /** Tries once, and says nothing: whether the service is there, others say. */
  api: Api;
  log: Log;
  facts: RegisterRunnerBody;
  heartbeatMs: number;
  /** Number of tasks in work. */
  running: () => number;
  /** Called when people want the runner to end. */
  onDrain: () => void;
};

/** How long one call may take, and so how long the end of the runner waits for it. */
const patienceMs = 5_000;
const registered = z.looseObject({ id: z.string(), draining: z.boolean() });
const orders = z.looseObject({ drain: z.boolean() });

/**
 * Shows people that the runner is there, from now on until the returned function is called. Nothing waits for it, and what
 * fails is tried again with the next heartbeat.
 */
export function keepRegistered(parts: RegistrationParts): () => Promise<void> {
  const { api, log, facts, heartbeatMs, running, onDrain } = parts;
  const ending = new AbortController();
  let id: string | undefined;
  let lastRefusal = '';

  /** Undefined: the service is away. */
  const call = (wanted: Call): Promise<ApiResponse | undefined> =>
    api(wanted, AbortSignal.timeout(patienceMs)).catch(() => undefined);

  function sayOnce(refusal: string): void {
    if (refusal !== lastRefusal) log(`people do not see this runner: ${refusal}`);
    lastRefusal = refusal;
  }

  async function register(): Promise<void> {
    const response = await call({ method: 'POST', path: '/v1/runners', body: facts });
    if (!response) return;
    if (response.status === 404) return sayOnce('the service is older than this version of eas');
    if (response.error) return sayOnce(response.error.message);
    const runner = registered.parse(response.body);
    ({ id } = runner);
    if (runner.draining) onDrain();
  }

  async function beat(): Promise<void> {
    if (id === undefined) return register();
    const body = { running: running() };
    const response = await call({ method: 'POST', path: `/v1/runners/${id}/heartbeat`, body });
    if (response?.status === 404) {
      id = undefined;
      return register();
    }
    if (response && !response.error && orders.parse(response.body).drain) onDrain();
  }

  async function keep(): Promise<void> {
    while (!ending.signal.aborted) {
      await beat().catch((error: Error) => sayOnce(error.message));
      await sleep(heartbeatMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  const kept = keep();
  return async () => {
    ending.abort();
    await kept;
    if (id !== undefined) await call({ method: 'DELETE', path: `/v1/runners/${id}` });
  };
}
