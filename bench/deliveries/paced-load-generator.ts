import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from '../harness/open-connection.ts';
import { expectStatus } from '../harness/work-task.ts';
import type { PacedClient, PacedLoad, PacedResult } from './paced-load.ts';

/** What is not received that long after the last event counts as missing. */
const patienceMs = 60_000;

type Received = { at: number; sinceEventMs: number };
type Payload = { timestamp: string; data: { title?: string; content?: string } };

/** Webhooks by their path and the text that the client gave. */
const webhooks = new Map<string, Received>();
const server = createServer((request, response) => {
  const [at, now] = [performance.now(), Date.now()];
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    response.writeHead(200, { 'content-length': '0' }).end();
    const { timestamp, data } = JSON.parse(text) as Payload;
    const key = `${request.url} ${data.content ?? data.title}`;
    webhooks.set(key, { at, sinceEventMs: Math.max(0, now - Date.parse(timestamp)) });
  });
});
server.keepAliveTimeout = 60_000;

type Accepted = { key: string; sentAt: number; acceptedAt: number };

let sent = 0;

async function run({ url, everyMs, clients }: PacedLoad, over: AbortSignal): Promise<PacedResult[]> {
  const free: Connection[] = [];
  const accepted = new Map<string, Accepted[]>(clients.map(({ name }) => [name, []]));
  let firstError: unknown;

  async function post({ name, apiKeys, paths, field }: PacedClient, turn: number): Promise<void> {
    const connection = free.pop() ?? openConnection(url);
    const text = `number ${turn}`;
    const sentAt = performance.now();
    const reply = await connection.send('POST', inTurn(paths, turn), inTurn(apiKeys, turn), {
      description: field === 'title' ? 'Measured.' : undefined,
      [field]: text,
    });
    expectStatus(reply, 201);
    free.push(connection);
    accepted.get(name)?.push({ key: `/${name} ${text}`, sentAt, acceptedAt: reply.at });
  }

  const posting: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let dueMs = 0; !over.aborted; dueMs += everyMs) {
    const waitMs = startedAt + dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    sent += 1;
    const client = clients[sent % clients.length];
    const turn = Math.floor(sent / clients.length);
    if (client) posting.push(post(client, turn).catch((error: unknown) => void (firstError ??= error)));
  }
  await Promise.all(posting);
  for (const connection of free) connection.close();
  if (firstError) throw new Error('a POST failed', { cause: firstError });
  const all = [...accepted.values()].flat();
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt && !all.every(isReceived);) await sleep(50);
  return clients.map(({ name }) => resultOf(name, accepted.get(name) ?? []));
}

const inTurn = (values: readonly string[], turn: number) => values[turn % values.length] ?? '';
const isReceived = ({ key }: Accepted) => webhooks.has(key);

function resultOf(name: string, accepted: readonly Accepted[]): PacedResult {
  const received = accepted.flatMap(({ key, acceptedAt }) => {
    const webhook = webhooks.get(key);
    // A webhook can come before the response to the request that caused it.
    return webhook ? [{ ...webhook, sinceAcceptedMs: Math.max(0, webhook.at - acceptedAt) }] : [];
  });
  return {
    name,
    acceptedMs: accepted.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt),
    receivedMs: received.map(({ sinceAcceptedMs }) => sinceAcceptedMs),
    sinceEventMs: received.map(({ sinceEventMs }) => sinceEventMs),
    missing: accepted.length - received.length,
  };
}

let over = new AbortController();
process.once('disconnect', () => process.exit(0));
process.once('message', () => {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', (message: 'end' | PacedLoad) => {
    if (message === 'end') return over.abort();
    over = new AbortController();
    run(message, over.signal).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
});
