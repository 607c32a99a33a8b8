import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../harness/bench.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { postJson } from '../harness/post-json.ts';
import { quantile } from '../harness/report.ts';
import { wellBehavedSteps } from './well-behaved-load.ts';

const role = 'well-behaved';
const stepRole = 'well-behaved-steps';
const agentCount = 40;
const platformSecret = 'the secret of a well-behaved platform';

/** Steps in sequence: the time from a completion to the next step is that of the service. */
const definition = {
  name: 'Well-behaved',
  description: 'One step after the other.',
  estimated_duration: 'no time',
  steps: Array.from({ length: wellBehavedSteps }, (_, n) => ({
    id: `s${n}`,
    name: `Step ${n}`,
    role: stepRole,
    needs: n === 0 ? [] : [`s${n - 1}`],
    task: { title: `Step ${n}`, description: 'To be done.' },
  })),
};

/** How often a well-behaved tenant calls, and the rate limit of each of its keys. */
export type WellBehavedRates = { perSecond: number; perMinute: number };

/** The default tenant, with agents, a platform, and a receiver of webhooks that measures how late each comes. */
export async function makeWellBehaved(
  { apps: { apiKey } }: Bench,
  url: string,
  { perSecond, perMinute }: WellBehavedRates,
) {
  const sink = await startSink();
  const agents = await makeAgents(url, apiKey, role, agentCount, perMinute);
  await postJson(`${url}/v1/integrations`, apiKey, {
    type: 'taskplatform',
    secret: platformSecret,
    webhook_id: 'well-behaved',
  });
  const [worker] = await makeAgents(url, apiKey, stepRole, 1, perMinute);
  if (!worker) throw new Error('no agent was made');
  const { id: workflowId } = (await postJson(`${url}/v1/workflows`, apiKey, definition)) as { id: string };
  await postJson(`${url}/v1/webhooks`, apiKey, {
    url: sink.url,
    events: ['task.created'],
    secret: 'a well-behaved secret',
  });
  // A receiver caches secrets for two seconds.
  await sleep(2_500);
  return {
    load: { url, apiKey, agents, role, platformSecret, perSecond, workflowId, worker },
    startRound: () => void (sink.latenessMs.length = 0),
    webhooksP99Ms: () => quantile(sink.latenessMs, 0.99),
    close: sink.close,
  };
}

/** Records how long after its task was created, by the title, each webhook comes. */
async function startSink() {
  const latenessMs: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      response.end();
      const createdAt = /"title":"well-behaved (\d+)"/.exec(text)?.[1];
      if (createdAt) latenessMs.push(Date.now() - Number(createdAt));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    latenessMs,
    close: () => void server.close(),
  };
}
