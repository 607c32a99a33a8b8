import type { Logger } from '@eas/core';

export type LoopOptions = {
  name: string;
  /** Pause between the end of one run and the start of the next, in ms. */
  everyMs: number;
  /** An error is logged and the loop continues. The signal aborts when the loop is stopped. */
  run: (signal: AbortSignal) => Promise<unknown>;
  logger: Logger;
  /** The loop pauses while nothing that it waits for can be due. */
  pause?: { watch: IdleWatch; nextDueAt: NextDueAt } | undefined;
};

/** When the earliest of what a loop waits for is due; null: it waits for nothing. */
type NextDueAt = () => Promise<Date | null>;

export type PausingLoop = { nextDueAt: NextDueAt; wake(): void };

/** Says when loops pause, and wakes them. */
export type IdleWatch = {
  isIdle(): boolean;
  /** Until the result is called. */
  add(loop: PausingLoop): () => void;
};

export type Loop = {
  /** Runs as soon as possible: now, or right after the current run. */
  wake(): void;
  /** No further run starts; resolves when the current one has ended. */
  stop(): Promise<void>;
};

type LoopState = { name: string; failedRuns: number };

/** The loops of this process. */
const loops = new Set<LoopState>();

/**
 * For each loop of this process the number of failed runs since its last successful one; the maximum for loops of the
 * same name.
 */
export function failedRuns(): ReadonlyMap<string, number> {
  const byName = new Map<string, number>();
  for (const { name, failedRuns } of loops) byName.set(name, Math.max(failedRuns, byName.get(name) ?? 0));
  return byName;
}

/** A timer whose runs never overlap and which survives errors. The first run starts at once. */
export function startLoop({ name, everyMs, run, logger, pause }: LoopOptions): Loop {
  const controller = new AbortController();
  const state: LoopState = { name, failedRuns: 0 };
  loops.add(state);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  const leaveWatch = pause?.watch.add({ nextDueAt: pause.nextDueAt, wake });

  function begin(): void {
    clearTimeout(timer);
    isWoken = false;
    running = Promise.resolve()
      .then(() => run(controller.signal))
      .then(
        () => void (state.failedRuns = 0),
        (error: unknown) => {
          if (controller.signal.aborted) return;
          state.failedRuns += 1;
          logger.error({ err: error, loop: name }, 'loop failed, will run again');
        },
      )
      .then(() => {
        running = undefined;
        if (controller.signal.aborted) return;
        timer = isWoken ? setTimeout(begin) : setTimeout(beginUnlessIdle, everyMs);
      });
  }

  function beginUnlessIdle(): void {
    // A failed run is repeated, whatever is due.
    if (!pause?.watch.isIdle() || state.failedRuns > 0) begin();
  }

  function wake(): void {
    if (controller.signal.aborted) return;
    if (running) isWoken = true;
    else begin();
  }

  begin();
  return {
    wake,
    async stop() {
      controller.abort();
      clearTimeout(timer);
      leaveWatch?.();
      await running;
      loops.delete(state);
    },
  };
}
