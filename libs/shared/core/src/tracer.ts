/** Attributes of a span: never a secret, a body or user text. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  kind?: 'server' | 'client' | 'consumer' | 'internal';
  /** W3C traceparent of its cause. Unset or malformed: the first span of a trace. */
  parent?: string | undefined;
  /** The traceparent of each other cause. At most 128 are kept. */
  links?: readonly string[];
  attributes?: SpanAttributes;
};

export type Span = {
  traceId: string;
  spanId: string;
  /** Traceparent for what it causes. Undefined if the trace is not sampled. */
  traceparent: string | undefined;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Ends it; with an error it failed. */
  end(error?: unknown): void;
  /** Runs work inside the span: `current` is this span there, also after an await. */
  run<T>(work: () => T): T;
};

export type Tracer = {
  start(name: string, options?: SpanOptions): Span;
  current(): Span | undefined;
  /** Runs work that serves several callers and belongs to none of their spans. */
  outside<T>(work: () => T): T;
};

let active: Tracer | undefined;

/** The process's tracer. Undefined while tracing is off. */
export const tracer = (): Tracer | undefined => active;

export function setTracer(next: Tracer | undefined): void {
  active = next;
}

/** Traceparent of the caller's span, for what it causes later and elsewhere. Undefined: off, or not sampled. */
export const currentTraceparent = (): string | undefined => active?.current()?.traceparent;
