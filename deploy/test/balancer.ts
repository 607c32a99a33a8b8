// A small proxy that sends requests to those of its targets that say they are ready, as the one in front of a service does.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startLoop } from '@eas/runtime';
import { silentLogger } from '@eas/testing';

export type Target = { port: number; healthPort: number };

export type Balancer = {
  url: string;
  /** Requests that a target did not respond to, and whether they went out on a connection that was used before. */
  failures: { error: string; isReused: boolean }[];
  /** Whether requests go to this target now. */
  hasReady(target: Target): boolean;
  add(target: Target): void;
  remove(target: Target): void;
  close(): Promise<void>;
};

const askEveryMs = 200;

export async function startBalancer(): Promise<Balancer> {
  const targets = new Set<Target>();
  const ready = new Set<Target>();
  const failures: Balancer['failures'] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const ask = async (target: Target) => {
    const said = await readinessAt(`http://127.0.0.1:${target.healthPort}/readyz`);
    if (said === 'unknown') return;
    if (said === 'ready' && targets.has(target)) ready.add(target);
    else ready.delete(target);
  };
  const loop = startLoop({
    name: 'asking',
    everyMs: askEveryMs,
    logger: silentLogger,
    run: () => Promise.all([...targets].map(ask)),
  });
  const server = createServer((incoming, response) => {
    const target = [...ready][(turn += 1) % Math.max(1, ready.size)];
    if (!target) return void response.writeHead(502).end();
    forward(incoming, response, { agent, target, failures });
  });
  // Longer than clients keep idle connections.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    hasReady: (target) => ready.has(target),
    add: (target) => void targets.add(target),
    remove: (target) => void targets.delete(target),
    async close() {
      await loop.stop();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Unknown: there was no response in time. One late response proves nothing: on a busy machine all are late. */
const readinessAt = (url: string): Promise<'ready' | 'not ready' | 'unknown'> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => (ok ? 'ready' : 'not ready'),
    (error: Error) => (error.name === 'TimeoutError' ? 'unknown' : 'not ready'),
  );

type Forwarding = { agent: Agent; target: Target; failures: Balancer['failures'] };

function forward(incoming: IncomingMessage, response: ServerResponse, { agent, target, failures }: Forwarding): void {
  const { method, url, headers } = incoming;
  const { connection: _, ...passed } = headers;
  const outgoing = request({ agent, host: '127.0.0.1', port: target.port, method, path: url, headers: passed });
  outgoing.once('response', (answered) => {
    const { connection: _own, 'keep-alive': _time, ...shown } = answered.headers;
    response.writeHead(answered.statusCode ?? 502, shown);
    answered.pipe(response);
  });
  outgoing.once('error', (error) => {
    failures.push({ error: error.message, isReused: outgoing.reusedSocket });
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  incoming.pipe(outgoing);
}
