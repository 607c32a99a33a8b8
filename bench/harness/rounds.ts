import type { Bench } from './bench.ts';
import { type Load, type LoadResult, runLoad } from './load.ts';
import { processorMs } from './memory.ts';
import { formatNumber, median, say, table } from './report.ts';

export type Side = { label: string; pid: number; load: Omit<Load, 'connections' | 'seconds'> };

/** `processorUs`: processor time that the app used for a request; it is the same on a busy machine. */
export type RoundResult = LoadResult & { processorUs: number };

export type Comparison = { ratio: number; limit: RoundResult[]; real: RoundResult[] };

/** Alternates so that both see the same weather; prints the ratio of medians. `between`: before each limit round. */
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
  sayErrors([...results.limit, ...results.real]);
  say(`  ratio of medians: ${formatNumber(ratio)} of the limit`);
  return { ratio, ...results };
}

/** As a figure. */
export const besideLimit = ({ limit, real }: Comparison) => ({
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

function sayErrors(results: RoundResult[]): void {
  const failed = results.filter(({ errors }) => errors > 0);
  for (const { statuses } of failed) say(`  responses: ${JSON.stringify(statuses)}`);
}
