const firstMs = 500;
const jitter = 0.2;

/** The delay after this number of tries: doubling, never shorter than the service asks for, with 20 % jitter. */
export function delayMs(
  { tries, retryAfterMs = 0, maxMs }: { tries: number; retryAfterMs?: number | undefined; maxMs: number },
  random: () => number = Math.random,
): number {
  const doubled = Math.min(maxMs, firstMs * 2 ** Math.min(tries - 1, 20));
  return Math.max(retryAfterMs, doubled) * (1 + jitter * random());
}
