import type { Bench, Scenario } from '../harness/bench.ts';
import { drainBacklog } from '../harness/backlog.ts';
import { median, say, table } from '../harness/report.ts';
import { openPeers, type Peer } from '../peers/run-peers.ts';
import { expectRuns, type FlightResult, flightsOf } from '../runs/in-flight.ts';
import { startOwnRuns } from '../runs/own-runs.ts';

const flights = flightsOf('20,100,400');
const agents = 100;

export const scenario: Scenario = {
  name: 'workflow-peers',
  about: `runs of four steps, ${flights.join(', ')} in flight: ours with all worker apps live, next to DBOS Transact and Restate whose steps do nothing`,
  async run(bench) {
    const peers = await openPeers(bench.stores);
    const own = await startOwnRuns(bench, agents);
    try {
      await own.run({ inFlight: Math.max(...flights), warmUpSeconds: 2, seconds: 1 });
      await bench.stores.database.db.query('ANALYZE');
      const ours: Peer = { name: 'ours', run: async (load) => settled(bench, await own.run(load)) };
      for (const inFlight of flights) await compare(bench, [ours, ...peers], inFlight);
      await own.check();
    } finally {
      await own.close();
    }
  },
};

/** None of our apps runs while the peers are measured. */
async function settled(bench: Bench, result: FlightResult): Promise<FlightResult> {
  await drainBacklog(bench, 300);
  return result;
}

/** One after another in each round, so that all of them run under the same conditions. */
async function compare({ options, record }: Bench, engines: readonly Peer[], inFlight: number): Promise<void> {
  const results = engines.map((): FlightResult[] => []);
  for (let round = 0; round < options.rounds; round += 1)
    for (const [index, { name, run }] of engines.entries()) {
      const result = await run({ inFlight, warmUpSeconds: 2, seconds: options.roundSeconds });
      expectRuns(`${name}, ${inFlight} in flight`, result);
      results[index]?.push(result);
    }
  const [ownRate = NaN, ...rates] = results.map((rounds) => median(rounds.map(({ runsPerSecond }) => runsPerSecond)));
  table([
    [`${inFlight} in flight`, 'runs/s', 'run p50 ms', 'run p99 ms'],
    ...engines.flatMap(({ name }, index) =>
      (results[index] ?? []).map(({ runsPerSecond, p50Ms, p99Ms }) => [name, Math.round(runsPerSecond), p50Ms, p99Ms]),
    ),
  ]);
  rates.forEach((rate, index) => {
    const { name = '' } = engines[index + 1] ?? {};
    say(`  ours is ${(ownRate / rate).toFixed(2)} of ${name}`);
    record({ name: `${inFlight} in flight`, rate: ownRate, against: { name, rate } });
  });
}
