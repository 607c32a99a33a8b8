import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanOptions, Tracer } from '@eas/core';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { reportingExporter } from './reporting-exporter.ts';
import type { SamplerName } from './sampler-names.ts';

export type TracingOptions = {
  /** Name of the app. */
  name: string;
  version: string;
  /** Without /v1/traces and trailing slash. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  sampler: SamplerName;
  ratio: number;
  /** Called with the number of spans that the collector did not accept, and why. */
  onLost(spans: number, error: unknown): void;
};

export type OtelTracer = Tracer & { shutdown(): Promise<void> };

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const maxLinks = 128;
const batching = { scheduledDelayMillis: 1_000, maxQueueSize: 8_192, maxExportBatchSize: 512 };
const exportTimeoutMs = 5_000;

/** Spans by the OpenTelemetry SDK, sent in batches as OTLP. It registers nothing globally and patches no module. */
export function openTracer(options: TracingOptions): OtelTracer {
  const { name, version, endpoint, headers, onLost } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    sampler: samplerOf(options),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportingExporter(exporter, onLost), ...batching })],
  });
  const otel = provider.getTracer('engineering-agent-service', version);
  const storage = new AsyncLocalStorage<Span | undefined>();
  return {
    start: (spanName, { kind = 'internal', parent, links = [], attributes = {} }: SpanOptions = {}) => {
      const cause = readTraceparent(parent);
      const context = cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT;
      const linked = links.slice(0, maxLinks).flatMap((link) => readTraceparent(link) ?? []);
      const settings = { kind: kinds[kind], attributes, links: linked.map((one) => ({ context: one })) };
      return spanOf(otel.startSpan(spanName, settings, context), storage);
    },
    current: () => storage.getStore(),
    outside: (work) => storage.run(undefined, work),
    // It rejects when the last spans are not accepted, which `onLost` has reported.
    shutdown: () => provider.shutdown().catch(() => {}),
  };
}

function spanOf(span: OtelSpan, storage: AsyncLocalStorage<Span | undefined>): Span {
  const context = span.spanContext();
  const own: Span = {
    traceId: context.traceId,
    spanId: context.spanId,
    traceparent: writeTraceparent(context),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    end(error) {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
      span.end();
    },
    run: (work) => storage.run(own, work),
  };
  return own;
}

/** Error messages may contain user input. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const pattern = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Version 00, and the common prefix of later versions (W3C Trace Context). */
function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(text ?? '') ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string | undefined =>
  traceFlags & TraceFlags.SAMPLED ? `00-${traceId}-${spanId}-01` : undefined;

function samplerOf({ sampler, ratio }: Pick<TracingOptions, 'sampler' | 'ratio'>): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root =
    name === 'always_off'
      ? new AlwaysOffSampler()
      : name === 'traceidratio'
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}
