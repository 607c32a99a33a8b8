import { setTimeout as sleep } from 'node:timers/promises';
import type { AppPlan } from '../apps.ts';
import type { KeptAlive } from './keep-alive.ts';
import { StartError } from '@eas/core';

const pollMs = 100;
const timeoutMs = 90_000;
/** An app that has ended that often before anything worked will not heal by waiting. */
const hopelessDeaths = 3;

export type WaitOptions = {
  apps: readonly AppPlan[];
  kept: readonly KeptAlive[];
  /** Public readiness: the gateway's, which asks all others. */
  publicUrl: string;
  lastErrorOf: (name: string) => string | undefined;
  signal: AbortSignal;
};

/** Resolves when every app and the gateway's public door are ready. Throws a StartError when that will not happen. */
export async function waitUntilReady({ apps, kept, publicUrl, lastErrorOf, signal }: WaitOptions): Promise<void> {
  const waiting = new Map([
    ...apps.map(({ name, healthUrl }) => [name, healthUrl] as const),
    ['the gateway', publicUrl],
  ]);
  const endsAt = performance.now() + timeoutMs;
  while (waiting.size > 0) {
    if (signal.aborted) throw new StartError('The start was interrupted.');
    await Promise.all([...waiting].map(async ([name, url]) => (await isReady(url)) && waiting.delete(name)));
    const dead = kept.find((one) => one.deaths() >= hopelessDeaths);
    if (dead)
      throw new StartError(`An app does not start: ${lastErrorOf(dead.name) ?? `no log lines from ${dead.name}`}.`);
    if (performance.now() > endsAt) {
      throw new StartError(
        `Not ready after ${timeoutMs / 1_000} s: ${[...waiting.keys()].join(', ')}. See the logs folder of DATA_DIR.`,
      );
    }
    if (waiting.size > 0) await sleep(pollMs);
  }
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(3_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
