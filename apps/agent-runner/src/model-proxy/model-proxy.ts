import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelAccess } from '../presets/model-access.ts';
import { sendProblem } from './http-parts.ts';
import { serveRequest, type Serving } from './serve-request.ts';

export type ProxyParts = Pick<Serving, 'keeper' | 'upstreams' | 'onBudget' | 'log'>;

/** Where the agent of one task reaches its models, instead of their providers. */
export type ModelProxy = ModelAccess & {
  /** Whether a call was passed on since it was asked. */
  takeUse(): boolean;
  /** Breaks off what is left, once what calls used is reported. */
  close(): Promise<void>;
};

/** Most requests at a time, each of which is read whole. */
const maxRequests = 64;
/** Time that reports have when the task is over. */
const reportMs = 5_000;

/** Opens a proxy on the loopback interface: it puts the key of the operator into calls, and holds them to budgets. */
export async function openModelProxy({ keeper, upstreams, log, ...parts }: ProxyParts): Promise<ModelProxy> {
  const token = `eas-task-${randomBytes(24).toString('base64url')}`;
  const ending = new AbortController();
  let isUsed = false;
  const onBudget = (refusal: string | undefined) => {
    isUsed ||= refusal === undefined;
    parts.onBudget(refusal);
  };
  const { server, served } = createProxyServer({ keeper, upstreams, token, ending: ending.signal, onBudget, log });
  const port = await listen(server);
  return {
    addresses: Object.fromEntries(upstreams.map(({ id }) => [id, `http://127.0.0.1:${port}/${id}`])),
    token,
    takeUse() {
      const was = isUsed;
      isUsed = false;
      return was;
    },
    async close() {
      ending.abort();
      server.close();
      await Promise.race([served(), sleep(reportMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

/** `served`: resolves when what is being served is over. */
function createProxyServer(serving: Serving): { server: Server; served: () => Promise<unknown> } {
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    if (running.size >= maxRequests)
      return sendProblem(response, 429, 'The agent has 64 requests open. Try again later.');
    const one = serveRequest(serving, { request, response })
      .catch((error: unknown) => {
        if (response.headersSent || response.destroyed) response.destroy();
        else sendProblem(response, 502, `The model was not reached: ${(error as Error).message}`);
      })
      .finally(() => running.delete(one));
    running.add(one);
  });
  return { server, served: () => Promise.all(running) };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  return (server.address() as AddressInfo).port;
}
