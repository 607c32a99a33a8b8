/** Each resolves when the thing works and throws when it does not. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown> | unknown>>;

export type Readiness = { isReady: boolean; checks: Record<string, 'ok' | 'failed' | 'timeout'> };

/** Runs all checks side by side; one that takes longer than `timeoutMs` counts as failed. Never throws. */
export async function runChecks(checks: ReadinessChecks, timeoutMs = 2_000): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check, timeoutMs)] as const),
  );
  return { isReady: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
}

async function runCheck(check: () => unknown, timeoutMs: number): Promise<'ok' | 'failed' | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  const result = Promise.resolve()
    .then(check)
    .then(
      () => 'ok' as const,
      () => 'failed' as const,
    );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}

/** Checks that other processes are ready, by the addresses of their health ports ("http://127.0.0.1:3003"). */
export function peerChecks(healthUrls: readonly string[]): ReadinessChecks {
  return Object.fromEntries(
    healthUrls.map((base) => [
      base,
      async () => {
        const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(1_500) });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${base} is not ready`);
      },
    ]),
  );
}
