import type { Logger } from '@eas/core';

export type LoopOptions = {
  name: string;
  /** Pause between the end of one run and the start of the next, in ms. */
  everyMs: number;
  /** Throwing is logged and the loop goes on. The signal aborts when the loop is stopped. */
  run: (signal: AbortSignal) => Promise<unknown>;
  logger: Logger;
};

export type Loop = {
  /** Runs as soon as possible: now, or right after the run that is under way. */
  wake(): void;
  /** No run starts any more; resolves when the one under way has ended. */
  stop(): Promise<void>;
};

/** A timer whose runs never overlap and which survives errors. The first run starts at once. */
export function startLoop({ name, everyMs, run, logger }: LoopOptions): Loop {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;

  function begin(): void {
    clearTimeout(timer);
    isWoken = false;
    running = Promise.resolve()
      .then(() => run(controller.signal))
      .then(
        () => {},
        (error: unknown) => {
          if (!controller.signal.aborted) logger.error({ err: error, loop: name }, 'loop failed, will run again');
        },
      )
      .then(() => {
        running = undefined;
        if (controller.signal.aborted) return;
        timer = setTimeout(begin, isWoken ? 0 : everyMs);
      });
  }

  begin();
  return {
    wake() {
      if (controller.signal.aborted) return;
      if (running) isWoken = true;
      else begin();
    },
    async stop() {
      controller.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
