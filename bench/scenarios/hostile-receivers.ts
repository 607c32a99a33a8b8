import { egressDeadlineMs } from '@eas/egress';
import { startHostileReceivers } from '@eas/testing/hostile-receivers';
import type { Scenario } from '../harness/bench.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';
import { pssMegabytes } from '../harness/memory.ts';
import { say, table } from '../harness/report.ts';
import type { HostileLoad, HostileResult } from '../hostile/hostile-load.ts';

const name = 'hostile-receivers';
const parallel = 4;
const byHandSeconds = 300;
const sampleMs = 500;

export const scenario: Scenario = {
  name,
  about: `memory of outgoing HTTP while it sends to every hostile receiver, ${parallel} requests to each at a time`,
  async run({ options }) {
    const chosen = process.env['BENCH_HOSTILE_SECONDS'];
    const seconds = Number(chosen ?? (options.only.includes(name) ? byHandSeconds : 5 * options.roundSeconds));
    const hostile = await startHostileReceivers();
    try {
      const targets = [hostile.normal, ...hostile.receivers].map(({ name, url, ends }) => ({ name, url, ends }));
      const child = startChild('../hostile/hostile-load-generator.ts', {
        targets,
        parallel,
        seconds,
      } satisfies HostileLoad);
      const samples: number[] = [];
      const timer = setInterval(() => samples.push(pssMegabytes(child.pid ?? 0)), sampleMs);
      const results = await nextMessage<HostileResult[]>(child).finally(() => clearInterval(timer));
      sayResults(results);
      sayMemory(samples, seconds);
    } finally {
      await hostile.close();
    }
  },
};

function sayResults(results: readonly HostileResult[]): void {
  table([
    ['receiver', 'requests', 'longest ms', 'not as expected'],
    ...results.map(({ name, requests, longestMs, unexpected }) => [
      name,
      requests,
      Math.round(longestMs),
      unexpected.length === 0 ? '-' : `${unexpected.length}: ${[...new Set(unexpected)].join(' ')}`,
    ]),
  ]);
  const longest = Math.round(Math.max(...results.map(({ longestMs }) => longestMs)));
  say(`  longest time that a slot was held: ${longest} ms (deadline ${egressDeadlineMs} ms)`);
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const unexpected = results.reduce((sum, result) => sum + result.unexpected.length, 0);
  say(`  ${requests} requests, ${unexpected} ended otherwise than expected`);
}

/** The first quarter is the warm-up: code, connections, and the longest phases once. */
function sayMemory(samples: readonly number[], seconds: number): void {
  const quarter = Math.ceil(samples.length / 4);
  const rangeOf = (from: number, to: number) => {
    const some = samples.slice(from, to);
    return `${Math.min(...some)} to ${Math.max(...some)}`;
  };
  const ranges = [0, 1, 2, 3].map((index) => rangeOf(index * quarter, (index + 1) * quarter));
  say(
    `  memory by quarters of ${seconds} s: ${ranges.join(', ')} MB; after the first: ${rangeOf(quarter, Infinity)} MB`,
  );
}
