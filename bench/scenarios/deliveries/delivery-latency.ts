import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PacedClient, startPacedClients } from '../../deliveries/paced-load.ts';
import { workerApps } from '../../harness/apps.ts';
import { clearTables } from '../../harness/backlog.ts';
import { sayMemory } from '../../harness/against-limit.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { postJson } from '../../harness/post-json.ts';
import { quantile, say, table } from '../../harness/report.ts';

const samples = 200;
const pauseMs = 25;
const perSecond = Number(process.env['BENCH_RATE'] ?? 100);
const rateSeconds = 20;
const secret = 'the secret of the bench';

export const scenario: Scenario = {
  name: 'delivery-latency',
  about: `201 received → task.created received by a subscriber: one task at a time (${samples} samples), and ${perSecond} a second`,
  async run({ apps, ...rest }) {
    const [gateway] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    await sleep(1_000);
    sayMemory({ apps, ...rest } satisfies Bench);
    const sink = await startSink();
    const { apiKey } = apps;
    const webhook = await postJson(`${gateway.url}/v1/webhooks`, apiKey, {
      url: sink.url,
      events: ['task.created'],
      secret,
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
    await postJson(`${gateway.url}/v1/webhooks/${String(webhook['id'])}/disable`, apiKey, {});
    await measureAtRate(gateway.url, apiKey);
    await apps.stopAll();
    await clearTables({ apps, ...rest });
  },
};

/** Tasks created at fixed times, whatever the responses take: at half of what delivery-rate creates, say. */
async function measureAtRate(url: string, apiKey: string): Promise<void> {
  const clients = await startPacedClients();
  try {
    await postJson(`${url}/v1/webhooks`, apiKey, { url: `${clients.url}/rate`, events: ['task.created'], secret });
    const client: PacedClient = { name: 'rate', apiKeys: [apiKey], paths: ['/v1/tasks'], field: 'title' };
    const measure = async (seconds: number) => {
      clients.begin({ url, everyMs: 1_000 / perSecond, clients: [client] });
      await sleep(seconds * 1_000);
      return clients.end();
    };
    await measure(rateSeconds / 4);
    const [result] = await measure(rateSeconds);
    if (!result) throw new Error('nothing was measured');
    const row = (times: readonly number[]) => [0.5, 0.9, 0.99, 1].map((share) => quantile(times, share));
    table([
      [`${perSecond} tasks a second`, 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'],
      ['from the 201', ...row(result.receivedMs)],
      ['from the time of the event, before its commit', ...row(result.sinceEventMs)],
      ['from the request to the 201', ...row(result.acceptedMs)],
    ]);
    say(`  ${result.receivedMs.length} webhooks received, ${result.missing} missing`);
  } finally {
    clients.stop();
  }
}

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
