import { setTimeout as sleep } from 'node:timers/promises';
import { exponentialBackoffMs } from '@eas/core';

export type Running = {
  /** Resolves with a few words when it has ended. */
  exited: Promise<string>;
  stop(graceMs: number): Promise<void>;
};

export type KeepAliveOptions = {
  name: string;
  start: () => Promise<Running>;
  first?: Running;
  /** How long to wait after an unexpected end. Undefined: 0.5 s x 2^n, at most 30 s. */
  delayMs?: () => number | undefined;
  /** Called at each unexpected end. */
  onDeath: (death: { name: string; reason: string; count: number; restartInMs: number }) => void;
};

export type KeptAlive = {
  name: string;
  deaths(): number;
  /** Starts it again at once, also when it waits for its next start. */
  restart(graceMs: number): Promise<void>;
  stop(graceMs: number): Promise<void>;
};

const firstDelayMs = 500;
const maxDelayMs = 30_000;
/** After this lifetime the delay starts at its minimum again. */
const provenMs = 30_000;

/** Starts a thing again whenever it ends. */
export function keepAlive({ name, start, first, delayMs = () => undefined, onDeath }: KeepAliveOptions): KeptAlive {
  const stopping = new AbortController();
  let running: Running | undefined = first;
  let waking = new AbortController();
  let isRestarting = false;
  let failures = 0;
  let deaths = 0;

  async function runOnce(): Promise<string> {
    try {
      running ??= await start();
      // Asked to stop while it was starting.
      if (stopping.signal.aborted) await running.stop(0);
      return await running.exited;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      running = undefined;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const reason = await runOnce();
      if (stopping.signal.aborted) return;
      if (isRestarting) {
        isRestarting = false;
        continue;
      }
      failures = performance.now() - startedAt > provenMs ? 1 : failures + 1;
      deaths += 1;
      const restartInMs = delayMs() ?? exponentialBackoffMs(failures, firstDelayMs, maxDelayMs);
      waking = new AbortController();
      onDeath({ name, reason, count: deaths, restartInMs });
      const signal = AbortSignal.any([stopping.signal, waking.signal]);
      await sleep(restartInMs, undefined, { signal }).catch(() => {});
    }
  }

  const ended = run();
  return {
    name,
    deaths: () => deaths,
    async restart(graceMs) {
      if (!running) return waking.abort();
      isRestarting = true;
      await running.stop(graceMs);
    },
    async stop(graceMs) {
      stopping.abort();
      await running?.stop(graceMs);
      await ended;
    },
  };
}
