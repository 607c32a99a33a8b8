import pTimeout from 'p-timeout';

/** Each check resolves when its subject works and throws otherwise. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown> | unknown>>;

export type Readiness = { isReady: boolean; checks: Record<string, 'ok' | 'failed' | 'timeout'> };

/** Runs all checks concurrently; one that takes longer than `timeoutMs` counts as failed. Never throws. */
export async function runChecks(checks: ReadinessChecks, timeoutMs = 2_000): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check, timeoutMs)] as const),
  );
  return { isReady: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
}

async function runCheck(check: () => unknown, timeoutMs: number): Promise<'ok' | 'failed' | 'timeout'> {
  const result = Promise.resolve()
    .then(check)
    .then(
      () => 'ok' as const,
      () => 'failed' as const,
    );
  return pTimeout(result, { milliseconds: timeoutMs, fallback: () => 'timeout' as const });
}

/** Runs the checks and returns the same response to all callers until `keepMs` after its end. */
export function keepReadiness(checks: ReadinessChecks, keepMs = 1_000): () => Promise<Readiness> {
  let kept: Promise<Readiness> | undefined;
  let endedAtMs = Infinity;
  return () => {
    // While it runs, endedAtMs is Infinity: the difference is negative, so it is shared.
    if (kept && performance.now() - endedAtMs < keepMs) return kept;
    endedAtMs = Infinity;
    return (kept = runChecks(checks).finally(() => (endedAtMs = performance.now())));
  };
}

const namedPeer = /^([a-z0-9-]+)=(.+)$/;

/**
 * Checks that other processes are ready, by the addresses of their health ports
 * ("webhook-receiver=http://10.0.0.7:3003"). A check has the name of its peer, or `peer-1`, `peer-2`, … by its
 * position: responses are public and contain no address.
 */
export function peerChecks(peers: readonly string[]): ReadinessChecks {
  return Object.fromEntries(
    peers.map((peer, index) => {
      const [, name = `peer-${index + 1}`, base = peer] = namedPeer.exec(peer) ?? [];
      return [name, () => askPeer(name, base)];
    }),
  );
}

async function askPeer(name: string, base: string): Promise<void> {
  const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(1_500) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${name} is not ready`);
}
