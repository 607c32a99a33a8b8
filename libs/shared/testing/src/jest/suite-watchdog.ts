import { Worker } from 'node:worker_threads';

export type WatchedSuite = { file: string; limitMs: number };
/** The suite that begins, a test that begins or has passed in it, or that it has ended. */
export type WatchMessage = WatchedSuite | { test: string } | { passed: true } | { ended: true };
export type SuiteWatch = { beginTest(title: string): void; passTest(): void; end(): void };

/** One thread per process: a suite that blocks the event loop can only be observed from another thread. */
let thread: Worker | undefined;

/**
 * Ends this process when no test of the suite has passed for longer than its limit, after it has printed the file and where
 * its code is. However long a suite is, and however busy the machine, one that goes on is not ended.
 * Jest then reports the file as failed and goes on with the others in a new process.
 */
export function watchSuite(suite: WatchedSuite): SuiteWatch {
  const watcher = (thread ??= startThread());
  const send = (message: WatchMessage) => watcher.postMessage(message);
  send(suite);
  return {
    beginTest: (test) => send({ test }),
    passTest: () => send({ passed: true }),
    end: () => send({ ended: true }),
  };
}

function startThread(): Worker {
  const worker = new Worker(new URL('./suite-watchdog-thread.ts', import.meta.url), { stdout: false, stderr: false });
  worker.unref();
  return worker;
}
