import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@eas/core';
import { createIntegration, getIntegration } from '@eas/integrations';
import { createReceiver, receiveInboundEvent, type Receiver } from '@eas/receiving';
import { taskPlatformSource } from '@eas/task-platform';
import { type QueueWorker, type Relay, startRelay, startWorker } from '@eas/queue';
import { createMetrics, type Loop, type ProcessParts } from '@eas/runtime';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Config } from '../src/config.ts';
import { workflowHandlers } from '../src/handlers.ts';
import { startPlatformCalls } from '../src/platform-calls.ts';

const test = useTestDatabase();
const q = useQueues(test);
const token = 'pk_a_token_that_nobody_may_read';
const lines: string[] = [];
const log = (...args: unknown[]) => void lines.push(JSON.stringify(args));
const logger = { ...silentLogger, info: log, warn: log, error: log } as Logger;
const metrics = createMetrics({ withDefaults: false });
const hanging = new Set<string>();

let server: Server;
let worker: QueueWorker;
let relay: Relay;
let loop: Loop;
let receiver: Receiver;
const atEnd: (() => unknown)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    if (hanging.has(id)) return;
    const isKnown = request.headers.authorization === token;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const task = { id, name: `Title of ${id}`, text_content: 'Text.', date_updated: '1700000000000' };
    response.end(JSON.stringify(isKnown ? task : { err: 'Token invalid' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { database } = test;
  const makeContext = ({ tenantId, signal }: { tenantId: string; signal: AbortSignal }) =>
    test.context({ tenantId, signal });
  const handlers = workflowHandlers({ sourceHost: 'github.com' });
  worker = await startWorker(q.queues, 'workflow', handlers, { makeContext, concurrency: 4, logger: silentLogger });
  relay = startRelay({ database, queues: q.queues, logger: silentLogger });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { platform: { apiUrl, sourceHostApiUrl: apiUrl, allowedCidrs: ['127.0.0.0/8'] } };
  const onShutdown = (_name: string, step: () => unknown) => void atEnd.push(step);
  const parts = { config, logger, metrics, onShutdown } as unknown as ProcessParts<Config>;
  loop = startPlatformCalls(database, (tenantId) => ({ ...test.context({ tenantId }), logger }), parts);
  const { secrets } = test.context();
  receiver = createReceiver({ database, secrets, logger: silentLogger, onReceipt: () => {} });
});

afterAll(async () => {
  await loop?.stop();
  for (const step of atEnd) await step();
  await relay?.stop();
  await worker?.drain(5_000);
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** A tenant with a platform. */
async function connect(its = token) {
  const tenantId = await test.createTenant();
  const secret = `a secret of ${tenantId}`;
  const ctx = test.context({ tenantId });
  const { id } = (await createIntegration(ctx, { type: 'taskplatform', secret, token: its } as never)).integration;
  const title = async (task: string) => {
    const sql = `SELECT title FROM tasks WHERE tenant_id = $1 AND metadata ->> 'ticket_id' = $2`;
    return (await test.database.db.query<{ title: string }>(sql, [tenantId, task]))[0]?.title;
  };
  const send = async (task: string) => {
    const raw = Buffer.from(JSON.stringify({ event: 'taskCreated', task_id: task }));
    const headers = { 'x-signature': createHmac('sha256', secret).update(raw).digest('hex') };
    await receiveInboundEvent(receiver, taskPlatformSource, { raw, headers, takesUnsigned: false, integrationId: id });
  };
  const view = async () => (await getIntegration(ctx, id)).integration;
  return { title, send, view };
}

describe('calls to the platform', () => {
  it('give a task its title', async () => {
    const { title, send } = await connect();
    await send('t1');
    await eventually(async () => (await title('t1')) === 'Title of t1');
    // Counted after it is written.
    const counted = /eas_platform_calls_total\{kind="task",outcome="done"\} [1-9]/;
    await eventually(async () => counted.test(await metrics.registry.metrics()));
  });

  it('of one tenant do not wait for those of another that hang', async () => {
    const [slow, other] = [await connect(), await connect()];
    hanging.add('slow');
    await slow.send('slow');
    await eventually(async () => (await slow.title('slow')) === 'Task slow');
    await other.send('t2');
    await eventually(async () => (await other.title('t2')) === 'Title of t2');
    expect(await slow.title('slow')).toBe('Task slow');
  });

  it('that are refused show the reason, and no log line has the token', async () => {
    const wrong = 'pk_of_somebody_else';
    const { send, view } = await connect(wrong);
    await send('t3');
    await eventually(async () => (await view()).status_reason?.includes('status 401: Token invalid') ?? false);
    expect((await view()).status).toBe('degraded');
    expect(lines.join('\n')).toContain('platform call put off');
    expect(lines.join('\n')).not.toMatch(new RegExp(`${token}|${wrong}`));
  });
});
