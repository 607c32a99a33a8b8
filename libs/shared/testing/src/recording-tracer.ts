import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanOptions, Tracer } from '@eas/core';

export type RecordedSpan = { name: string; options: SpanOptions; traceparent: string; ended: unknown };

/** A tracer that records its calls. `ended`: the error of a span that failed, null of another, else not over. */
export function createRecordingTracer(): Tracer & { spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const storage = new AsyncLocalStorage<Span | undefined>();
  return {
    spans,
    start(name, options = {}) {
      const traceparent = `span ${spans.length + 1}`;
      const recorded: RecordedSpan = { name, options, traceparent, ended: undefined };
      spans.push(recorded);
      const span: Span = {
        traceId: traceparent,
        spanId: traceparent,
        traceparent,
        rename: (next) => void (recorded.name = next),
        set: (attributes) => void (recorded.options = { ...recorded.options, attributes }),
        end: (error = null) => void (recorded.ended = error),
        run: (work) => storage.run(span, work),
      };
      return span;
    },
    current: () => storage.getStore(),
    outside: (work) => storage.run(undefined, work),
  };
}
