// Restate: runs of four steps that do nothing, started over HTTP; its server has a process and a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEndpointHandler, workflow, type WorkflowContext } from '@restatedev/restate-sdk';
import { doAsChild } from '../harness/child-task.ts';
import { findFreePort } from '@eas/testing/redis-server';
import { type FlightLoad, keepInFlight } from '../runs/in-flight.ts';

const steps = ['one', 'two', 'three', 'four'];

const fourSteps = workflow({
  name: 'fourSteps',
  handlers: {
    async run(context: WorkflowContext) {
      for (const name of steps) await context.run(name, () => ({ ok: true }));
      return 'done';
    },
  },
});

doAsChild<FlightLoad>(async (load) => {
  const server = await startServer();
  try {
    await register(server.adminUrl, await serveSteps());
    let number = 0;
    return await keepInFlight(load, async () => {
      number += 1;
      const response = await fetch(`${server.ingressUrl}/fourSteps/run-${number}/run`, { method: 'POST' });
      const text = await response.text();
      if (!response.ok) throw new Error(`responded with ${response.status}: ${text.slice(0, 300)}`);
    });
  } finally {
    await server.stop();
  }
});

/** Serves the workflow's code, which the server calls over HTTP/2. Gives its address. */
async function serveSteps(): Promise<string> {
  const server = createServer(createEndpointHandler({ services: [fourSteps], logger: () => {} }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function register(adminUrl: string, uri: string): Promise<void> {
  const response = await fetch(`${adminUrl}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri }),
  });
  if (!response.ok) throw new Error(`the steps were not registered: ${await response.text()}`);
}

async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'eas-bench-restate-'));
  const [fabric, admin, ingress] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const [adminUrl, ingressUrl] = [`http://127.0.0.1:${admin}`, `http://127.0.0.1:${ingress}`];
  const executable = `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
  const child = spawn(join(import.meta.dirname, executable), ['--no-logo', '--base-dir', folder], {
    env: {
      PATH: process.env['PATH'],
      DO_NOT_TRACK: '1',
      RESTATE_DISABLE_TELEMETRY: 'true',
      // It asks a code host for its newest release, and complains when there is none to be reached.
      RUST_LOG: 'error,octocrab=off',
      RESTATE_NODE_NAME: 'bench',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(fabric),
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  await waitUntilHealthy(child, [`${adminUrl}/health`, `${ingressUrl}/restate/health`]);
  return {
    adminUrl,
    ingressUrl,
    async stop() {
      const exited = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilHealthy(child: ChildProcess, urls: readonly string[]): Promise<void> {
  const isHealthy = async (url: string) => (await fetch(url).catch(() => undefined))?.ok === true;
  for (const endsAt = Date.now() + 30_000; Date.now() < endsAt && child.exitCode === null;) {
    const healthy = await Promise.all(urls.map(isHealthy));
    if (healthy.every(Boolean)) return;
    await sleep(50);
  }
  throw new Error('restate-server did not become ready');
}
