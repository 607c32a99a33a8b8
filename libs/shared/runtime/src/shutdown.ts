import type { Logger } from '@eas/core';
import pTimeout from 'p-timeout';

/** Ends one part of the process. Gets the milliseconds left of the whole shutdown. */
export type ShutdownStep = (remainingMs: number) => Promise<unknown> | unknown;

/** Time that a drain leaves to later steps, which write collected items and close connections. */
const reserveMs = 3_000;

/** How long a step may wait for running work: the remaining time minus 3 s, but at least half of it. */
export const drainMs = (remainingMs: number): number => Math.max(remainingMs - reserveMs, remainingMs / 2);

export type Shutdown = {
  /** Steps run one after another, the last registered first: what was opened first is closed last. */
  onShutdown(name: string, step: ShutdownStep): void;
  /** Aborts when the shutdown begins: waiting calls return, streams close, loops end. */
  signal: AbortSignal;
  /** Runs all steps once. True when all ended in time without an error. Never throws. */
  run(budgetMs: number): Promise<boolean>;
};

export function createShutdown(logger: Logger): Shutdown {
  const steps: { name: string; step: ShutdownStep }[] = [];
  const controller = new AbortController();
  let running: Promise<boolean> | undefined;

  async function runSteps(budgetMs: number): Promise<boolean> {
    const endsAt = performance.now() + budgetMs;
    controller.abort();
    let isClean = true;
    for (const { name, step } of steps.reverse()) {
      const outcome = await runStep(step, endsAt);
      if (outcome === 'done') continue;
      isClean = false;
      if (outcome === 'late') logger.error({ step: name, budgetMs }, 'shutdown step timed out');
      else logger.error({ step: name, err: outcome }, 'shutdown step failed');
    }
    return isClean;
  }

  return {
    signal: controller.signal,
    onShutdown: (name, step) => void steps.push({ name, step }),
    run: (budgetMs) => (running ??= runSteps(budgetMs)),
  };
}

async function runStep(step: ShutdownStep, endsAt: number): Promise<unknown> {
  const remainingMs = Math.max(0, endsAt - performance.now());
  const work = Promise.resolve()
    .then(() => step(remainingMs))
    .then(
      () => 'done',
      (error: unknown) => error ?? new Error('rejected without a reason'),
    );
  // The library refuses 0.
  return pTimeout(work, { milliseconds: Math.max(1, remainingMs), fallback: () => 'late' });
}
