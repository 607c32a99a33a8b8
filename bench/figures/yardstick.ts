import type { Bench } from '../harness/bench.ts';
import { runLoad } from '../harness/load.ts';
import { median, say } from '../harness/report.ts';
import { expectClean, failuresIn } from '../harness/rounds.ts';

/** Short, as it is measured before each round. */
const seconds = 3;

/** Requests a second of the HTTP stack that writes nothing, measured now. */
export type Yardstick = () => Promise<number>;

/** What this machine can do, for what has no limit of its own. Machines drift: measure it before each round. */
export async function openYardstick({ apps, options }: Bench): Promise<Yardstick> {
  const limit = await apps.start('limit-server');
  const load = {
    url: `${limit.url}/v1/tasks`,
    headers: { 'x-api-key': apps.apiKey },
    body: { kind: 'plain' as const, text: JSON.stringify({ title: 'a task', description: 'to be done' }) },
    connections: options.connections,
  };
  await runLoad({ ...load, seconds: 2 });
  return async () => {
    const { requestsPerSecond, statuses } = await runLoad({ ...load, seconds });
    expectClean('yardstick', { errors: failuresIn(statuses) });
    return requestsPerSecond;
  };
}

/** Rates as a figure, with those of the yardstick before each of them. */
export function againstYardstick(rates: readonly number[], yardsticks: readonly number[]) {
  say(`  yardstick before each round: ${yardsticks.map((rate) => Math.round(rate)).join(', ')} requests/s`);
  return { rate: median(rates), against: { name: 'requests that write nothing', rate: median(yardsticks) } };
}
