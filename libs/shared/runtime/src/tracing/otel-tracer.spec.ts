import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTracer, tracer } from '@eas/core';
import { eventually, silentLogger, startTraceCollector, type TraceCollector } from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger.ts';
import type { ShutdownStep } from '../shutdown.ts';
import { startTracing } from '../start-tracing.ts';
import { openTracer, type OtelTracer, type TracingOptions } from './otel-tracer.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const sampled = `00-${traceId}-${spanId}-01`;
const unsampled = `00-${traceId}-${spanId}-00`;
const root = resolve(import.meta.dirname, '../../../../..');
let collector: TraceCollector;
let opened: OtelTracer | undefined;
const lost: number[] = [];

beforeEach(async () => void (collector = await startTraceCollector()));
afterEach(async () => {
  await opened?.shutdown();
  opened = undefined;
  lost.length = 0;
  await collector.close();
});

function open(options: Partial<TracingOptions> = {}): OtelTracer {
  const defaults = { name: 'test', version: '1', headers: {}, sampler: 'parentbased_always_on', ratio: 1 } as const;
  opened = openTracer({ ...defaults, endpoint: collector.url, onLost: (spans) => void lost.push(spans), ...options });
  return opened;
}

async function collected(from: OtelTracer) {
  await from.shutdown();
  return collector.spans;
}

describe('a span', () => {
  it('continues the trace of its traceparent, and links others', async () => {
    const tracing = open({ headers: { 'x-token': 'secret' } });
    const other = sampled.replace('0af7', '1af7');
    const span = tracing.start('one', { parent: sampled, links: [other, 'nonsense'], attributes: { 'eas.n': 1 } });
    expect(span.traceparent).toBe(`00-${traceId}-${span.spanId}-01`);
    span.end(new TypeError('a text of a user'));
    expect(await collected(tracing)).toEqual([
      {
        service: 'test',
        name: 'one',
        traceId,
        spanId: span.spanId,
        parentSpanId: spanId,
        links: [{ traceId: traceId.replace('0af7', '1af7'), spanId }],
        attributes: { 'eas.n': 1 },
        isError: true,
      },
    ]);
    expect(JSON.stringify(collector.spans)).not.toContain('a text of a user');
    expect(collector.headers[0]).toMatchObject({ 'x-token': 'secret' });
  });

  it.each(['', 'x', `ff-${traceId}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`, `00-${traceId}-${spanId}`])(
    'begins a trace if the traceparent is %p',
    (parent) => {
      const span = open().start('one', { parent });
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.traceId).not.toBe(traceId);
    },
  );

  it('is current in its work, also after an await, but not in work that belongs to no span', async () => {
    const tracing = open();
    const span = tracing.start('one');
    await span.run(async () => {
      await new Promise((done) => setImmediate(done));
      expect(tracing.current()).toBe(span);
      tracing.outside(() => expect(tracing.current()).toBeUndefined());
    });
    expect(tracing.current()).toBeUndefined();
  });
});

describe('a sampler', () => {
  it.each([
    ['always_on', 1, true, true],
    ['always_off', 1, false, false],
    ['traceidratio', 0, false, false],
    ['traceidratio', 1, true, true],
    ['parentbased_always_on', 1, true, false],
    ['parentbased_always_off', 1, true, false],
    ['parentbased_traceidratio', 0, true, false],
  ] as const)('%s of %d records a sampled parent: %p, another: %p', (sampler, ratio, ofSampled, ofUnsampled) => {
    const tracing = open({ sampler, ratio });
    const isKept = (parent: string) => tracing.start('one', { parent }).traceparent !== undefined;
    expect([isKept(sampled), isKept(unsampled)]).toEqual([ofSampled, ofUnsampled]);
  });

  it('drops unsampled spans: nothing is sent, and nothing continues them', async () => {
    const tracing = open({ sampler: 'always_off' });
    tracing.start('one').end();
    expect(await collected(tracing)).toEqual([]);
  });
});

describe('tracing of a process', () => {
  const telemetry = { commit: 'x', headers: [], sampler: 'always_on' as const, ratio: 1 };
  const parts = { name: 'test', logger: silentLogger, onShutdown() {} };
  afterEach(() => setTracer(undefined));

  it('reports how many spans a collector did not accept', async () => {
    collector.respondWith(400);
    const tracing = open();
    tracing.start('one').end();
    tracing.start('two').end();
    await tracing.shutdown();
    await eventually(() => lost.length > 0);
    expect(lost).toEqual([2]);
  });

  it('puts the ids of the trace into the log', async () => {
    const steps: ShutdownStep[] = [];
    const onShutdown = (_: string, step: ShutdownStep) => void steps.push(step);
    await startTracing({ ...telemetry, endpoint: collector.url, headers: ['a=b%20c'] }, { ...parts, onShutdown });
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ name: 'test', level: 'info', hasTraces: true, destination });
    const span = tracer()?.start('one');
    span?.run(() => logger.info({}, 'inside'));
    logger.info({}, 'outside');
    span?.end();
    for (const step of steps) await step(hangMs);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ trace_id: span?.traceId, span_id: span?.spanId });
    expect(lines[1]).not.toContain('trace_id');
    expect(collector.headers[0]).toMatchObject({ a: 'b c' });
  });

  it('is off without an endpoint', async () => {
    await startTracing({ ...telemetry, endpoint: undefined }, parts);
    await startTracing(undefined, parts);
    expect(tracer()).toBeUndefined();
  });

  it('loads the SDK only when it is on', () => {
    const files = globSync('{apps,libs}/**/src/**/*.ts', {
      cwd: root,
      exclude: (path) => path.includes('node_modules'),
    });
    const importing = files
      .filter((file) => !file.endsWith('.spec.ts'))
      .filter((file) =>
        /from '@opentelemetry\/|from '.*(otel-tracer|reporting-exporter)\.ts'/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      );
    const folder = 'libs/shared/runtime/src/tracing';
    expect(importing.sort()).toEqual([`${folder}/otel-tracer.ts`, `${folder}/reporting-exporter.ts`]);
  });
});
