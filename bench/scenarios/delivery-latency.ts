import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerApps } from '../harness/apps.ts';
import { sayMemory } from '../harness/beside-limit.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { postJson } from '../harness/post-json.ts';
import { quantile, say, table } from '../harness/report.ts';

const samples = 200;
const pauseMs = 25;

export const scenario: Scenario = {
  name: 'delivery-latency',
  about: `idle system, one task at a time: 201 received → task.created received by a subscriber (${samples} samples)`,
  async run({ apps, ...rest }) {
    const [gateway] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    await sleep(1_000);
    sayMemory({ apps, ...rest } satisfies Bench);
    const sink = await startSink();
    const { apiKey } = apps;
    await postJson(`${gateway.url}/v1/webhooks`, apiKey, {
      url: sink.url,
      events: ['task.created'],
      secret: 'the secret of the bench',
    });
    const sinceAccepted: number[] = [];
    const sinceSent: number[] = [];
    for (let number = -10; number < samples; number += 1) {
      const title = `sample ${number}`;
      const sentAt = performance.now();
      const received = sink.receive(title);
      await postJson(`${gateway.url}/v1/tasks`, apiKey, { title, description: 'Measured.' });
      const acceptedAt = performance.now();
      const receivedAt = await received;
      // The first ones warm connections and caches.
      if (number >= 0) {
        sinceAccepted.push(Math.max(0, receivedAt - acceptedAt));
        sinceSent.push(receivedAt - sentAt);
      }
      await sleep(pauseMs);
    }
    sink.close();
    table([
      ['to the webhook', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'],
      ['from the 201', ...[0.5, 0.9, 0.99, 1].map((share) => quantile(sinceAccepted, share))],
      ['from the request', ...[0.5, 0.9, 0.99, 1].map((share) => quantile(sinceSent, share))],
    ]);
    say(`  ${sink.count()} webhooks received for ${samples + 10} tasks`);
    await apps.stopAll();
  },
};

const patienceMs = 10_000;

async function startSink() {
  const waiting = new Map<string, (at: number) => void>();
  let count = 0;
  const server = createServer((request, response) => {
    const at = performance.now();
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      response.end();
      count += 1;
      const { data } = JSON.parse(text) as { data: { title: string } };
      waiting.get(data.title)?.(at);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    receive: (title: string) =>
      new Promise<number>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no webhook within ${patienceMs} ms`)), patienceMs);
        waiting.set(title, (at) => {
          clearTimeout(timer);
          resolve(at);
        });
      }),
    close: () => void server.close(),
  };
}
