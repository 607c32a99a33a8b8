import { createHmac, randomBytes } from 'node:crypto';
import { doAsChild } from './child-task.ts';
import { driveConnection } from './http-connection.ts';
import type { Load, LoadResult } from './load.ts';
import { quantile } from './report.ts';

function createRequests({ url, headers, body }: Load): () => string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, connection: 'keep-alive', 'content-type': 'application/json', ...headers });
  const head = (start: string) =>
    `${start} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
  if (body.kind === 'none') return inTurn(body.paths.map((path) => `${head(`GET ${path}`)}\r\n`));
  const post = head(`POST ${pathname}${search}`);
  const request = (text: string, more = '') =>
    `${post}${more}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  if (body.kind === 'plain') {
    const always = request(body.text);
    return () => always;
  }
  const next = platformBodies(body.template, body.secret);
  return () => {
    const { text, signature } = next();
    return request(text, `x-signature: ${signature}\r\n`);
  };
}

function inTurn(requests: readonly string[]): () => string {
  let turn = 0;
  return () => {
    turn = (turn + 1) % requests.length;
    return requests[turn] ?? '';
  };
}

function platformBodies(template: Record<string, unknown>, secret: string): () => { text: string; signature: string } {
  const run = randomBytes(6).toString('hex');
  const parts = JSON.stringify(template).split('{{number}}');
  let number = 0;
  return () => {
    number += 1;
    const text = parts.join(`${run}${number}`);
    return { text, signature: createHmac('sha256', secret).update(text).digest('hex') };
  };
}

async function run(load: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(load.url);
  const request = createRequests(load);
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1_000;
  const connection = {
    host: hostname,
    port: Number(port),
    endsAt,
    next: request,
    onResponse(status: number, tookMs: number) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status < 300) times.push(tookMs);
    },
    failed(error: Error) {
      statuses[error.message] = (statuses[error.message] ?? 0) + 1;
    },
  };
  await Promise.all(Array.from({ length: load.connections }, () => driveConnection(connection)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return {
    requestsPerSecond: times.length / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    errors: all - times.length,
    statuses,
  };
}

doAsChild<Load>(run);
