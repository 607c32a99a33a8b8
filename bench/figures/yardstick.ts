import type { Bench } from '../harness/bench.ts';
import { runLoad } from '../harness/load.ts';

const seconds = 4;

/** Requests a second of the HTTP stack that writes nothing: what this machine can do, for what has no limit of its own. */
export async function measureYardstick({ apps, options }: Bench): Promise<{ name: string; rate: number }> {
  const limit = await apps.start('limit-server');
  const load = {
    url: `${limit.url}/v1/tasks`,
    headers: { 'x-api-key': apps.apiKey },
    body: { kind: 'plain' as const, text: JSON.stringify({ title: 'a task', description: 'to be done' }) },
    connections: options.connections,
  };
  await runLoad({ ...load, seconds: 2 });
  const { requestsPerSecond } = await runLoad({ ...load, seconds });
  await limit.stop();
  return { name: 'requests that write nothing', rate: requestsPerSecond };
}
