import type { Bench } from './bench.ts';
import { type Load, type LoadResult, runLoad } from './load.ts';
import { processorMs } from './memory.ts';
import { formatNumber, median, say, table } from './report.ts';

export type Side = { label: string; pid: number; load: Omit<Load, 'connections' | 'seconds'> };

/** `processorUs`: processor time that the app used for a request; it is the same on a busy machine. */
export type RoundResult = LoadResult & { processorUs: number };

export type Comparison = { ratio: number; limit: RoundResult[]; real: RoundResult[] };

/**
 * Alternates, so that both run under the same conditions; prints the ratio of medians.
 * `between` runs before each limit round.
 */
export async function compare(
  { options }: Bench,
  sides: { limit: Side; real: Side; between?: () => Promise<void> },
): Promise<Comparison> {
  const { connections, roundSeconds, rounds } = options;
  const results = { limit: [] as RoundResult[], real: [] as RoundResult[] };
  const run = async (side: Side, seconds: number): Promise<RoundResult> => {
    const usedBefore = processorMs(side.pid);
    const result = await runLoad({ ...side.load, connections, seconds });
    const usedMs = processorMs(side.pid) - usedBefore;
    return { ...result, processorUs: (usedMs * 1_000) / (result.requestsPerSecond * seconds) };
  };
  await run(sides.limit, 3);
  await run(sides.real, 3);
  for (let round = 0; round < rounds; round += 1) {
    await sides.between?.();
    results.limit.push(await run(sides.limit, roundSeconds));
    results.real.push(await run(sides.real, roundSeconds));
  }
  const ratio = medianRate(results.real) / medianRate(results.limit);
  table([
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'app processor µs/request'],
    ...results.limit.map((one) => resultRow(sides.limit.label, one)),
    ...results.real.map((one) => resultRow(sides.real.label, one)),
  ]);
  say(`  ratio of medians: ${formatNumber(ratio)} of the limit`);
  for (const [side, rounds] of [[sides.limit, results.limit] as const, [sides.real, results.real] as const])
    for (const { statuses } of rounds) expectClean(side.label, { errors: failuresIn(statuses) });
  return { ratio, ...results };
}

/** The counts of all that is not a response with 2xx. */
export const failuresIn = (statuses: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(statuses).filter(([status]) => !/^2\d\d$/.test(status)));

/** Throws when requests failed or tasks were claimed twice: the rate of such a round means nothing. */
export function expectClean(
  label: string,
  { errors, doubles = 0 }: { errors: Record<string, number>; doubles?: number },
): void {
  if (Object.keys(errors).length > 0) throw new Error(`${label}: requests failed: ${JSON.stringify(errors)}`);
  if (doubles > 0) throw new Error(`${label}: ${doubles} tasks were claimed twice`);
}

/** As a figure. */
export const againstLimit = ({ limit, real }: Comparison) => ({
  rate: medianRate(real),
  against: { name: 'requests that write nothing', rate: medianRate(limit) },
});

export function medianRate(results: RoundResult[]): number {
  return median(results.map(({ requestsPerSecond }) => requestsPerSecond));
}

function resultRow(
  label: string,
  { requestsPerSecond, p50Ms, p99Ms, errors, processorUs }: RoundResult,
): (string | number)[] {
  return [label, Math.round(requestsPerSecond), p50Ms, p99Ms, errors, Math.round(processorUs)];
}
