import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Reports lost spans: the SDK does not report that a collector refuses spans or is unavailable. */
export function reportingExporter(
  exporter: SpanExporter,
  onLost: (spans: number, error: unknown) => void,
): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) onLost(spans.length, result.error);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
