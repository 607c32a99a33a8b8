/** What is known of a span: never a secret, a body or a text of a user. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  kind?: 'server' | 'client' | 'consumer' | 'internal';
  /** W3C traceparent of what caused it. Unset or not well-formed: the first span of a trace. */
  parent?: string | undefined;
  /** The traceparent of each other cause. At most 128 are kept. */
  links?: readonly string[];
  attributes?: SpanAttributes;
};

export type Span = {
  traceId: string;
  spanId: string;
  /** For what it causes. Undefined where the sampler has left the trace out. */
  traceparent: string | undefined;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Ends it; with an error it failed. */
  end(error?: unknown): void;
  /** Runs work as a part of it: `current` is this span there, also after an await. */
  run<T>(work: () => T): T;
};

export type Tracer = {
  start(name: string, options?: SpanOptions): Span;
  current(): Span | undefined;
  /** Runs work that serves several callers, and belongs to none of their spans. */
  outside<T>(work: () => T): T;
};

let active: Tracer | undefined;

/** The process's tracer. Undefined while tracing is off, in which case callers do nothing more. */
export const tracer = (): Tracer | undefined => active;

export function setTracer(next: Tracer | undefined): void {
  active = next;
}

/** Of the span in which the caller runs, for what it causes later and elsewhere. Undefined: off, or not sampled. */
export const currentTraceparent = (): string | undefined => active?.current()?.traceparent;
