import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  startTraceCollector,
  startWebhookSink,
  type TraceCollector,
  useTestDatabase,
  type WebhookSink,
} from '@eas/testing';
import { ownRedisDatabase } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimFor, createPatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';

const test = useTestDatabase();
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientSpan = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${clientSpan}-01`;
let system: System;
let sink: WebhookSink;
let collector: TraceCollector;
let dataDir: string;

async function call(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(system.baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': system.apiKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Record<string, unknown>;
}

const inTrace = (name: string) => collector.spans.filter((span) => span.traceId === traceId && span.name === name);

beforeAll(async () => {
  collector = await startTraceCollector();
  sink = await startWebhookSink();
  dataDir = await mkdtemp(join(tmpdir(), 'eas-traces-'));
  system = await startSystem({
    DATABASE_URL: test.url,
    REDIS_URL: ownRedisDatabase(14),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    RECEIVER_ALLOW_UNSIGNED: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // The rest of the system is not recorded: only what a client asks for.
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  await call('/v1/webhooks', { url: sink.url, events: ['task.created'], secret: 'a secret of sixteen' });
});
afterAll(async () => {
  await system?.stop();
  await collector?.close();
  await sink?.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the trace of a client', () => {
  it('goes from its request through relay, queue and handlers to the delivery and to the claim of an agent', async () => {
    const task = await call('/v1/tasks', { title: 'Traced', description: 'x', assigned_role: 'rd' }, { traceparent });
    const agent = await call('/v1/agents', { name: 'Traced', role: 'rd' });
    const client = createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey });
    const claimed = await claimFor(client, String(agent['id']));
    expect(claimed.task.id).toBe(task['id']);
    const expected = ['POST /v1/tasks', 'deliver', 'claim task', 'consume fan_out.follow', 'consume facts.follow'];
    await eventually(() => expected.every((name) => inTrace(name).length > 0));
    const [request] = inTrace('POST /v1/tasks');
    expect(request).toMatchObject({ service: 'api-gateway', parentSpanId: clientSpan, isError: false });
    const spans = collector.spans.filter((span) => span.traceId === traceId && span !== request);
    const known = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
    const caused = new Set(
      spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name),
    );
    expect([...caused]).toEqual(expect.arrayContaining(['relay', ...expected.slice(1)]));
    expect(inTrace('relay').map(({ service, attributes }) => [service, attributes['eas.consumer']])).toContainEqual([
      'workflow-orchestrator',
      'event.number',
    ]);
    expect(inTrace('consume fan_out.follow')[0]?.service).toBe('webhook-dispatcher');
    expect(inTrace('consume facts.follow')[0]?.service).toBe('analytics-aggregator');
    expect(inTrace('deliver')).toMatchObject([{ attributes: { 'eas.outcome': 'delivered', 'eas.attempt': 1 } }]);
    expect(inTrace('claim task')).toMatchObject([
      { service: 'api-gateway', attributes: { 'eas.task_id': task['id'] } },
    ]);
  });

  it('is in the log of its request, and is not sent to receivers', async () => {
    const readLog = () => readFileSync(join(dataDir, 'logs/api-gateway.log'), 'utf8');
    await eventually(() => readLog().includes(traceId));
    const lines = readLog()
      .split('\n')
      .filter((line) => line.includes(traceId));
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['request completed']);
    expect(sink.requests.length).toBeGreaterThan(0);
    expect(sink.requests.filter(({ headers }) => 'traceparent' in headers)).toEqual([]);
  });

  it('goes on from a received webhook to the task that it makes', async () => {
    const other = traceparent.replace('4bf9', '5bf9');
    const body = { event: 'taskCreated', task_id: 'traced', webhook_id: 'x', data: { name: 'Received' } };
    await call('/webhook/taskplatform', body, { traceparent: other });
    const names = () =>
      collector.spans
        .filter((span) => span.traceId.startsWith('5bf9'))
        .map(({ service, name }) => `${service}: ${name}`);
    const last = 'analytics-aggregator: consume facts.follow';
    await eventually(() => names().includes(last));
    expect(names()).toEqual(
      expect.arrayContaining([
        'webhook-receiver: POST /webhook/taskplatform',
        'workflow-orchestrator: relay',
        'workflow-orchestrator: consume inbound.apply',
        last,
      ]),
    );
  });

  it('records nothing that no client asked for', () => {
    const foreign = collector.spans.filter((span) => !/^[45]bf92f3577b34da6/.test(span.traceId));
    expect(foreign).toEqual([]);
  });
});
