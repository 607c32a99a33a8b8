import { quantile } from '../harness/report.ts';

/** Keeps `inFlight` runs going for `seconds`, after a warm-up that is not counted. */
export type FlightLoad = { inFlight: number; warmUpSeconds: number; seconds: number };

export type FlightResult = { runsPerSecond: number; p50Ms: number; p99Ms: number };

/** The numbers of runs in flight to measure: BENCH_IN_FLIGHT, or `usual`. */
export const flightsOf = (usual: string): number[] => (process.env['BENCH_IN_FLIGHT'] ?? usual).split(',').map(Number);

/** `inFlight` parallel loops of runs, the same for every engine. A failed run fails the bench. */
export async function keepInFlight(
  { inFlight, warmUpSeconds, seconds }: FlightLoad,
  run: () => Promise<void>,
): Promise<FlightResult> {
  const countsFrom = performance.now() + warmUpSeconds * 1_000;
  const endsAt = countsFrom + seconds * 1_000;
  const times: number[] = [];
  async function runUntilEnd(): Promise<void> {
    for (let startedAt = performance.now(); startedAt < endsAt; startedAt = performance.now()) {
      await run();
      const endedAt = performance.now();
      if (endedAt >= countsFrom && endedAt < endsAt) times.push(endedAt - startedAt);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, runUntilEnd));
  return { runsPerSecond: times.length / seconds, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** Throws when no run ended in the measured time: such a round has no rate. */
export function expectRuns(label: string, { runsPerSecond }: FlightResult): void {
  if (!(runsPerSecond > 0)) throw new Error(`${label}: no run ended in a round; give it more --seconds`);
}
