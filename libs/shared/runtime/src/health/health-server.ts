import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { type ReadinessChecks, runChecks } from './readiness.ts';

export type HealthServerOptions = {
  port: number;
  host: string;
  /** Checks of what this process needs to work, by name. */
  checks: ReadinessChecks;
  registry: Registry;
  /** True once the process drains: /readyz responds with 503 from then on. */
  isDraining?: () => boolean;
};

export type HealthServer = { port: number; close(): Promise<void> };

/** Serves /livez, /readyz (with a result per check) and /metrics. Throws when the port is taken. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendJson(response, 405, { status: 'method_not_allowed' });
    }
    respond(path, response, options).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await listen(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(path: string, response: ServerResponse, options: HealthServerOptions): Promise<void> {
  if (path === '/livez') return sendJson(response, 200, { status: 'alive' });
  if (path === '/readyz') {
    if (options.isDraining?.()) return sendJson(response, 503, { status: 'draining', checks: {} });
    const { isReady, checks } = await runChecks(options.checks);
    return sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', checks });
  }
  if (path === '/metrics') {
    response.writeHead(200, { 'content-type': options.registry.contentType });
    response.end(await options.registry.metrics());
    return;
  }
  sendJson(response, 404, { status: 'not_found' });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}
