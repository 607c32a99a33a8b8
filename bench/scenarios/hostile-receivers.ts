import { egressDeadlineMs } from '@eas/egress';
import { startHostileReceivers } from '@eas/testing/hostile-receivers';
import type { Scenario } from '../harness/bench.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';
import { pssMegabytes } from '../harness/memory.ts';
import { say, table } from '../harness/report.ts';
import type { HostileLoad, HostileResult } from '../hostile/hostile-load.ts';

const name = 'hostile-receivers';
const lanes = 4;
const byHandSeconds = 300;
/** The longest phases come around once, and code and connections are warm. */
const warmUpShare = 0.25;
const sampleMs = 500;

export const scenario: Scenario = {
  name,
  about: `memory of the way out while it sends to every hostile receiver without an end, ${lanes} requests each at a time`,
  async run({ options }) {
    const chosen = process.env['BENCH_HOSTILE_SECONDS'];
    const seconds = Number(chosen ?? (options.only.includes(name) ? byHandSeconds : 5 * options.roundSeconds));
    const hostile = await startHostileReceivers();
    try {
      const targets = [hostile.normal, ...hostile.receivers].map(({ name, url, ends }) => ({ name, url, ends }));
      const child = startChild('../hostile/hostile-load-generator.ts', {
        targets,
        lanes,
        seconds,
      } satisfies HostileLoad);
      const samples: number[] = [];
      const timer = setInterval(() => samples.push(pssMegabytes(child.pid ?? 0)), sampleMs);
      const results = await nextMessage<HostileResult[]>(child).finally(() => clearInterval(timer));
      sayResults(results);
      const warm = samples.slice(Math.ceil(samples.length * warmUpShare));
      say(`  ${seconds} s; memory after a quarter of it: ${Math.min(...warm)} to ${Math.max(...warm)} MB`);
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
