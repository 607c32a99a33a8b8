export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body?: Buffer | string;
  signal?: AbortSignal;
};

/** How long the steps of a request took, in ms; null: not reached, or done before on a connection that was open. */
export type OutboundPhases = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  bodyMs: number | null;
};

export type OutboundHeaders = Record<string, string | string[] | undefined>;

export type OutboundResponse = {
  kind: 'response';
  status: number;
  headers: OutboundHeaders;
  body: Buffer;
  /** The body was longer than what is read of it. */
  isBodyCut?: boolean;
};

export type OutboundResult = {
  durationMs: number;
  phases?: OutboundPhases;
  /** Sent again at once, since the connection that was kept alive proved closed. */
  isRetried?: boolean;
} & (OutboundResponse | { kind: 'failure'; reason: string; message: string });

/** The way out, given by the app: never throws, never follows redirects, has its own deadline and limit of size. */
export type Send = (request: OutboundRequest) => Promise<OutboundResult>;

/** How the service calls itself in requests. */
export const userAgent = 'engineering-agent-service';

/** A request that takes longer is slow, and what goes to other receivers does not wait for it. */
export const slowMs = 2_000;

/** The result of a request that could not be made. */
export const notSent = (reason: string, message: string): OutboundResult => ({
  kind: 'failure',
  reason,
  message,
  durationMs: 0,
});

/** The request was cancelled by the end of the process: it is no attempt, and another process makes it. */
export const isCutOff = (result: OutboundResult, { aborted }: AbortSignal): boolean =>
  aborted && result.kind === 'failure';
