import { setTimeout as sleep } from 'node:timers/promises';
import type { Yardstick } from '../../figures/yardstick.ts';
import type { AgentLoadResult } from '../../harness/agent-load.ts';
import { clearTables, drainBacklog } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { formatNumber, median, percent, say, table } from '../../harness/report.ts';
import { expectClean } from '../../harness/rounds.ts';
import { openCycles } from '../../runners/cycling-agents.ts';
import { openSessions, talkerCount, talksPerSecond } from '../../runners/talking-agents.ts';

const mostLost = 0.02;

export const scenario: Scenario = {
  name: 'cycles-next-to-sessions',
  about: `claim cycles by requests that write nothing, both next to ${talkerCount} agents that say ${talksPerSecond} things a second each, and both without them, in turns`,
  async run(bench) {
    const { apps, options } = bench;
    const { yardstick, gateway, load } = await openCycles(bench);
    const sessions = await openSessions(gateway.url, apps.apiKey);
    const [alone, loaded]: [Round[], Round[]] = [[], []];
    for (let round = 0; round < options.rounds; round += 1) {
      alone.push(await measure(bench, yardstick, load));
      const ending = new AbortController();
      const talking = sessions.map((session) => session.talk(ending.signal));
      await sleep(3_000);
      loaded.push(await measure(bench, yardstick, load));
      ending.abort();
      await Promise.all(talking);
    }
    const ratio = (rounds: readonly Round[]) => median(rounds.map(({ cycles, limit }) => cycles / limit));
    table([
      ['', 'cycles/s', 'requests that write nothing/s', 'ratio'],
      ...(
        [
          ['alone', alone],
          ['loaded', loaded],
        ] as const
      ).map(([name, rounds]) => [
        name,
        ...(['cycles', 'limit'] as const).map((key) => Math.round(median(rounds.map((round) => round[key])))),
        formatNumber(ratio(rounds)),
      ]),
    ]);
    const lost = 1 - ratio(loaded) / ratio(alone);
    say(`  ${percent(lost)} % of the ratio`);
    for (const session of sessions) session.close();
    await apps.stopAll();
    await clearTables(bench);
    if (lost > mostLost) throw new Error(`more than ${percent(mostLost)} % of the ratio`);
  },
};

/** Each a second. */
type Round = { cycles: number; limit: number };

async function measure(
  bench: Bench,
  yardstick: Yardstick,
  load: (seconds: number) => Promise<AgentLoadResult>,
): Promise<Round> {
  await drainBacklog(bench, 300);
  const limit = await yardstick();
  const result = await load(bench.options.roundSeconds);
  expectClean('cycles', result);
  return { cycles: result.completed / result.seconds, limit };
}
