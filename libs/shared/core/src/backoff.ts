/** Delay in ms before try number `attempt` + 1: base x 2^(attempt - 1), at most `maxMs`. `attempt` starts at 1. */
export function exponentialBackoffMs(attempt: number, baseMs: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 52));
}

/** Adds up to `ratio` of the delay and never subtracts. `random` returns [0, 1). */
export function addJitterMs(delayMs: number, ratio: number, random: () => number = Math.random): number {
  return Math.round(delayMs * (1 + ratio * random()));
}
