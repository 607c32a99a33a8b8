import { quantile } from '../harness/report.ts';

/** Keeps so many runs going, for so many seconds after a warm-up that is not counted. */
export type FlightLoad = { inFlight: number; warmUpSeconds: number; seconds: number };

export type FlightResult = { runsPerSecond: number; p50Ms: number; p99Ms: number };

/** How many runs are kept in flight, one measurement each: from BENCH_IN_FLIGHT if that is set. */
export const flightsOf = (usual: string): number[] => (process.env['BENCH_IN_FLIGHT'] ?? usual).split(',').map(Number);

/** Runs one after another in each of the lanes, the same way for every engine. A run that fails fails the bench. */
export async function keepInFlight(
  { inFlight, warmUpSeconds, seconds }: FlightLoad,
  run: () => Promise<void>,
): Promise<FlightResult> {
  const countsFrom = performance.now() + warmUpSeconds * 1_000;
  const endsAt = countsFrom + seconds * 1_000;
  const times: number[] = [];
  async function lane(): Promise<void> {
    for (let startedAt = performance.now(); startedAt < endsAt; startedAt = performance.now()) {
      await run();
      const endedAt = performance.now();
      if (endedAt >= countsFrom && endedAt < endsAt) times.push(endedAt - startedAt);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane));
  return { runsPerSecond: times.length / seconds, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** Throws when no run ended in the time that counts: such a round has no rate and no times. */
export function expectRuns(label: string, { runsPerSecond }: FlightResult): void {
  if (!(runsPerSecond > 0)) throw new Error(`${label}: no run ended in a round; give it more --seconds`);
}
