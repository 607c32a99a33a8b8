import type { AgentLoadResult } from '../../harness/agent-load.ts';
import { clearTables, countBacklog, drainBacklog } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { sayMemory } from '../../harness/against-limit.ts';
import { treeProcessorMs } from '../../harness/memory.ts';
import { formatNumber, median, say, table } from '../../harness/report.ts';
import { expectClean } from '../../harness/rounds.ts';
import { againstYardstick, type Yardstick } from '../../figures/yardstick.ts';
import { clients, openCycles } from '../../runners/cycling-agents.ts';

export const scenario: Scenario = {
  name: 'claim-cycles',
  about: `${clients} closed-loop agents: create → claim → complete, all apps live`,
  async run(bench) {
    const { apps, options } = bench;
    const { yardstick, load } = await openCycles(bench);
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round += 1) rounds.push(await measure(bench, yardstick, load));
    sayRounds(bench, rounds);
    rounds.forEach((round, index) => expectClean(`round ${index + 1}`, round));
    const rates = rounds.map(({ completed, seconds }) => completed / seconds);
    say(`  median ${formatNumber(Math.round(median(rates)))} cycles/s`);
    const yardsticks = rounds.map(({ yardstickRate }) => yardstickRate);
    bench.record({ name: '', ...againstYardstick(rates, yardsticks) });
    const { pending } = await countBacklog(bench);
    const { seconds, dead } = await drainBacklog(bench, 300);
    say(
      `  ${formatNumber(pending)} outbox rows after the last round, drained in ${formatNumber(seconds)} s, ${dead} dead`,
    );
    sayMemory(bench);
    await apps.stopAll();
    await clearTables(bench);
  },
};

/** `usedMs`: processor time of each process during the cycles. */
type Round = AgentLoadResult & { usedMs: number[]; yardstickRate: number };

async function measure(
  bench: Bench,
  yardstick: Yardstick,
  load: (seconds: number) => Promise<AgentLoadResult>,
): Promise<Round> {
  // So that the workers are idle while the yardstick is measured.
  await drainBacklog(bench, 300);
  const yardstickRate = await yardstick();
  const before = usedMs(bench);
  const result = await load(bench.options.roundSeconds);
  return { ...result, yardstickRate, usedMs: usedMs(bench).map((ms, index) => ms - (before[index] ?? 0)) };
}

function sayRounds({ apps, stores }: Bench, rounds: readonly Round[]): void {
  table([
    [
      'cycles/s',
      'claim p50 ms',
      'create p99',
      'claim p99',
      'complete p99',
      'doubles',
      'empty claims',
      'processor ms a cycle',
      'processor %',
    ],
    ...rounds.map(({ seconds, completed, doubles, empty, create, claim, complete, usedMs }) => [
      Math.round(completed / seconds),
      claim.p50Ms,
      ...[create, claim, complete].map(({ p99Ms }) => p99Ms),
      doubles,
      empty,
      usedMs.reduce((sum, ms) => sum + ms, 0) / completed,
      usedMs.map((ms) => Math.round(ms / seconds / 10)).join(' '),
    ]),
  ]);
  const names = [...apps.running().map(({ name }) => name), ...Object.keys(stores.pids)];
  say(`  processor % of one core: ${names.join(', ')} (the agents themselves not counted)`);
}

function usedMs({ apps, stores }: Bench): number[] {
  return [...apps.running().map(({ pid }) => pid), ...Object.values(stores.pids)].map(treeProcessorMs);
}
