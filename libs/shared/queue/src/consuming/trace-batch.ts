import { type Span, tracer } from '@eas/core';

/**
 * Processes events in a span of the trace of each event that has one. For several events the work gets a span of its
 * own, linked to all of them. Only does the work while tracing is off.
 */
export async function traceBatch<T>(
  consumer: string,
  events: readonly { traceparent?: string | null }[],
  work: () => Promise<T>,
): Promise<T> {
  const tracing = tracer();
  const causes = events.flatMap(({ traceparent }) => traceparent ?? []);
  if (!tracing || causes.length === 0) return work();
  const settings = { kind: 'consumer', attributes: { 'eas.consumer': consumer, 'eas.events': events.length } } as const;
  const spans = causes.map((parent) => tracing.start(`consume ${consumer}`, { ...settings, parent }));
  const joint =
    spans.length > 1 ? tracing.start(`consume batch ${consumer}`, { ...settings, links: causes }) : spans[0];
  const all = new Set([...spans, ...(joint ? [joint] : [])]);
  try {
    const result = await (joint ? joint.run(work) : work());
    endAll(all);
    return result;
  } catch (error) {
    endAll(all, error);
    throw error;
  }
}

function endAll(spans: Iterable<Span>, error?: unknown): void {
  for (const span of spans) span.end(error);
}
