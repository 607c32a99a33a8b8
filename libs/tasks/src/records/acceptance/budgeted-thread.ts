import { Worker } from 'node:worker_threads';

/** The work exceeded its limit of processor time or memory. */
export class BudgetExceeded extends Error {}

/** A thread that handles one request at a time. */
export type BudgetedThread<Request, Response> = {
  /** Throws BudgetExceeded; the next request then gets a new thread. */
  ask(request: Request): Promise<Response>;
};

export type ThreadBudget = {
  /** Maximum processor time of a request, in ms, independent of the load of the machine. */
  processorMs: number;
  memoryMb: number;
};

/** Interval for reading the processor time of a busy thread, in ms. */
const watchEveryMs = 100;
/** Idle time after which a thread ends, in ms. */
const idleMs = 30_000;

/** Starts the thread with the first request. It does not keep the process alive. */
export function createBudgetedThread<Request, Response>(
  entry: URL,
  budget: ThreadBudget,
): BudgetedThread<Request, Response> {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    void worker?.terminate();
    worker = undefined;
  }

  return {
    async ask(request) {
      clearTimeout(idle);
      worker ??= startWorker(entry, budget.memoryMb);
      try {
        return await responseOf<Response>(worker, request, budget.processorMs);
      } catch (error) {
        end();
        throw error;
      } finally {
        idle = setTimeout(end, idleMs).unref();
      }
    },
  };
}

function startWorker(entry: URL, memoryMb: number): Worker {
  const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  worker.unref();
  // A pending request gets the error; between requests it is not needed.
  worker.on('error', () => {});
  return worker;
}

async function responseOf<Response>(worker: Worker, request: unknown, processorMs: number): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const onError = (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new BudgetExceeded('out of memory') : error);
  const onExit = () => reject(new Error('the thread ended without an answer'));
  worker.on('message', resolve).on('error', onError).on('exit', onExit);
  const stopWatching = watchProcessorTime(worker, processorMs, () => reject(new BudgetExceeded('out of time')));
  worker.postMessage(request);
  try {
    return await promise;
  } finally {
    stopWatching();
    worker.off('message', resolve).off('error', onError).off('exit', onExit);
  }
}

/** Counts from its first reading on: earlier time may belong to other requests. */
function watchProcessorTime(worker: Worker, processorMs: number, onExceeded: () => void): () => void {
  let before: NodeJS.CpuUsage | undefined;
  const check = async () => {
    const used = await worker.cpuUsage(before);
    before ??= used;
    if (before !== used && (used.user + used.system) / 1_000 > processorMs) onExceeded();
  };
  // A thread that has ended reports no time; its end is noticed elsewhere.
  const timer = setInterval(() => void check().catch(() => {}), watchEveryMs);
  return () => clearInterval(timer);
}
