export type Sleeping = { wake(): void };

/** Resolves when `sleeper.wake` is called, after `ms`, or when the signal aborts, whichever comes first. */
export async function sleepUntilWoken(sleeper: Sleeping, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  sleeper.wake = end;
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  sleeper.wake = () => {};
}
