import { drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { sayMemory } from '../harness/against-limit.ts';
import { processorMs, treeProcessorMs } from '../harness/memory.ts';
import { formatNumber, median, say, table } from '../harness/report.ts';
import { stepKeys } from '../runs/bench-workflow.ts';
import { expectRuns, flightsOf } from '../runs/in-flight.ts';
import { againstYardstick, openYardstick, type Yardstick } from '../figures/yardstick.ts';
import { type OwnRuns, startOwnRuns } from '../runs/own-runs.ts';

const flights = flightsOf('20,100,400');
const agents = Number(process.env['BENCH_AGENTS'] ?? 100);

export const scenario: Scenario = {
  name: 'workflow-runs',
  about: `${flights.join(', ')} runs of four steps in flight, ${agents} instant agents in the process that starts them, all worker apps live`,
  async run(bench) {
    const { options, stores } = bench;
    const yardstick = await openYardstick(bench);
    const own = await startOwnRuns(bench, agents);
    try {
      await own.run({ inFlight: Math.max(...flights), warmUpSeconds: 2, seconds: 1 });
      // As autovacuum does within the first minute: plans made of empty tables are thrown away.
      await stores.database.db.query('ANALYZE');
      const rounds: Round[] = [];
      for (let round = 0; round < options.rounds; round += 1)
        for (const inFlight of flights) rounds.push(await measure(bench, { own, yardstick, inFlight }));
      rounds.sort((a, b) => a.inFlight - b.inFlight);
      sayRounds(rounds);
      for (const inFlight of flights) {
        sayMedians(rounds, inFlight);
        const ofThese = rounds.filter((round) => round.inFlight === inFlight);
        const rates = ofThese.map(({ runsPerSecond }) => runsPerSecond);
        const yardsticks = ofThese.map(({ yardstickRate }) => yardstickRate);
        bench.record({ name: `${inFlight} in flight`, ...againstYardstick(rates, yardsticks) });
      }
      await own.check();
      sayMemory(bench);
    } finally {
      await own.close();
    }
  },
};

type Round = Awaited<ReturnType<OwnRuns['run']>> & {
  inFlight: number;
  yardstickRate: number;
  perRun: [name: string, ms: number][];
};

type Measurement = { own: OwnRuns; yardstick: Yardstick; inFlight: number };

/** A round until no event is pending, so that the whole cost of its runs is counted. */
async function measure(bench: Bench, { own, yardstick, inFlight }: Measurement): Promise<Round> {
  const yardstickRate = await yardstick();
  const before = usedMs(bench);
  const result = await own.run({ inFlight, warmUpSeconds: 1, seconds: bench.options.roundSeconds });
  expectRuns(`${inFlight} in flight`, result);
  await drainBacklog(bench, 300);
  const used = usedMs(bench).map(([name, ms], index): [string, number] => [name, ms - (before[index]?.[1] ?? 0)]);
  used.push(['starter and agents', result.processorMs]);
  return { ...result, inFlight, yardstickRate, perRun: used.map(([name, ms]) => [name, ms / result.runs]) };
}

function usedMs({ apps, stores }: Bench): [name: string, ms: number][] {
  const own = apps.running().map(({ name, pid }): [string, number] => [name, processorMs(pid)]);
  const servers = Object.entries(stores.pids).map(([name, pid]): [string, number] => [name, treeProcessorMs(pid)]);
  return [...own, ...servers];
}

function sayRounds(rounds: readonly Round[]): void {
  table([
    ['in flight', 'runs/s', 'steps/s', 'run p50 ms', 'run p99 ms', 'processor ms/run'],
    ...rounds.map(({ inFlight, runsPerSecond, p50Ms, p99Ms, perRun }) => [
      inFlight,
      Math.round(runsPerSecond),
      Math.round(runsPerSecond * stepKeys.length),
      p50Ms,
      p99Ms,
      perRun.reduce((sum, [, ms]) => sum + ms, 0),
    ]),
  ]);
}

function sayMedians(rounds: readonly Round[], inFlight: number): void {
  const ofThese = rounds.filter((round) => round.inFlight === inFlight);
  const parts = ofThese[0]?.perRun.map(([name], index) => {
    return `${name} ${formatNumber(median(ofThese.map(({ perRun }) => perRun[index]?.[1] ?? 0)))}`;
  });
  const rate = Math.round(median(ofThese.map(({ runsPerSecond }) => runsPerSecond)));
  say(`  ${inFlight} in flight: median ${formatNumber(rate)} runs/s; processor ms a run: ${parts?.join(', ')}`);
}
