import { setTimeout as sleep } from 'node:timers/promises';
import type { Yardstick } from '../../figures/yardstick.ts';
import type { AgentLoadResult } from '../../harness/agent-load.ts';
import { clearTables, drainBacklog } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { median, percent, say, table } from '../../harness/report.ts';
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
    const talkDuring = async <T>(work: () => Promise<T>): Promise<T> => {
      const ending = new AbortController();
      const talking = sessions.map((session) => session.talk(ending.signal));
      await sleep(3_000);
      const result = await work();
      ending.abort();
      await Promise.all(talking);
      return result;
    };
    const blocks: Block[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const measured = () => measure(bench, yardstick, load);
      const [first, ...loaded] = [await measured(), await talkDuring(measured), await talkDuring(measured)];
      blocks.push({ alone: [first, await measured()], loaded });
    }
    table([
      ['', 'cycles/s', 'requests that write nothing/s', 'ratio'],
      ...(['alone', 'loaded'] as const).map((side) =>
        rowOf(
          side,
          blocks.flatMap((block) => block[side]),
        ),
      ),
    ]);
    const losses = blocks.map((block) => 1 - ratioOf(block.loaded) / ratioOf(block.alone));
    const lost = median(losses);
    say(`  ${percent(lost)} % of the ratio; of the blocks: ${losses.map(percent).join(', ')}`);
    for (const session of sessions) session.close();
    await apps.stopAll();
    await clearTables(bench);
    if (lost > mostLost) throw new Error(`more than ${percent(mostLost)} % of the ratio`);
  },
};

/** Each a second. */
type Round = { cycles: number; limit: number };
/** Alone, loaded, loaded, alone: a machine that gets steadily slower or faster changes neither side. */
type Block = { alone: Round[]; loaded: Round[] };

const sumOf = (rounds: readonly Round[], key: keyof Round) => rounds.reduce((sum, round) => sum + round[key], 0);
const ratioOf = (rounds: readonly Round[]): number => sumOf(rounds, 'cycles') / sumOf(rounds, 'limit');

function rowOf(side: string, rounds: readonly Round[]): (string | number)[] {
  const rates = (['cycles', 'limit'] as const).map((key) => Math.round(sumOf(rounds, key) / rounds.length));
  return [side, ...rates, ratioOf(rounds)];
}

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
