import { setTimeout as sleep } from 'node:timers/promises';
import type { AppPlan } from '../apps.ts';
import type { KeptAlive } from './keep-alive.ts';
import { StartError } from '@eas/core';

const pollMs = 100;
/** An app that has ended this often before it was ready will not recover. */
const hopelessDeaths = 3;

export type WaitOptions = {
  apps: readonly Pick<AppPlan, 'name' | 'healthUrl'>[];
  kept: readonly Pick<KeptAlive, 'name' | 'deaths'>[];
  /** Public readiness: the gateway's, which asks all others. */
  publicUrl: string;
  lastErrorOf: (name: string) => string | undefined;
  /** Called with what is waited for, every 15 s. */
  say: (line: string) => void;
  signal: AbortSignal;
  sayEveryMs?: number;
  /** Gives up after this time without a response: 10 minutes, more than any working machine needs. */
  silenceMs?: number;
};

/** Why each is not ready yet, by name. */
type Waiting = Map<string, { url: string; reason: string }>;

/**
 * Resolves when every app and the gateway's public port are ready, however long a busy machine takes for that. Throws a
 * StartError when an app ends again and again, or nothing responds any more.
 */
export async function waitUntilReady(options: WaitOptions): Promise<void> {
  const { apps, kept, publicUrl, lastErrorOf, say, signal, sayEveryMs = 15_000, silenceMs = 600_000 } = options;
  const waiting: Waiting = new Map(
    [...apps.map(({ name, healthUrl }) => [name, healthUrl] as const), ['the gateway', publicUrl] as const].map(
      ([name, url]) => [name, { url, reason: notLoaded }],
    ),
  );
  const startedAt = performance.now();
  let [signAt, saidAt] = [startedAt, startedAt];
  while (waiting.size > 0) {
    if (signal.aborted) throw new StartError('The start was interrupted.');
    if (await ask(waiting)) signAt = performance.now();
    const dead = kept.find((one) => one.deaths() >= hopelessDeaths);
    if (dead)
      throw new StartError(`An app does not start: ${lastErrorOf(dead.name) ?? `no log lines from ${dead.name}`}.`);
    const now = performance.now();
    if (now - signAt > silenceMs)
      throw new StartError(
        `No response for ${silenceMs / 1_000} s from ${[...waiting.keys()].join(', ')}. See the logs folder of DATA_DIR.`,
      );
    if (now - saidAt > sayEveryMs && waiting.size > 0) {
      saidAt = now;
      const each = [...waiting].map(([name, { reason }]) => `${name} (${reason})`);
      say(`still starting after ${Math.round((now - startedAt) / 1_000)} s: waiting for ${each.join(', ')}`);
    }
    if (waiting.size > 0) await sleep(pollMs);
  }
}

const notLoaded = 'not loaded yet';

/** Removes those that are ready. Returns whether any has responded. */
async function ask(waiting: Waiting): Promise<boolean> {
  const responses = await Promise.all(
    [...waiting].map(async ([name, { url }]) => {
      const reason = await reasonOf(url);
      if (reason === undefined) waiting.delete(name);
      else waiting.set(name, { url, reason });
      return reason !== notLoaded;
    }),
  );
  return responses.includes(true);
}

/** Why it is not ready, by its own words; undefined when it is. */
async function reasonOf(baseUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(3_000) });
    const text = await response.text();
    if (response.ok) return undefined;
    const { checks = {} } = JSON.parse(text) as { checks?: Record<string, string> };
    const failing = Object.entries(checks).filter(([, state]) => state !== 'ok');
    return failing.map(([name, state]) => `${name}: ${state}`).join('; ') || `status ${response.status}`;
  } catch {
    return notLoaded;
  }
}
