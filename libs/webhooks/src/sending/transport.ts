type WebhookRequest = {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  signal: AbortSignal;
};

/** How long the steps of a request took, in ms; null: not reached, or done before on a connection that was open. */
export type WebhookPhases = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  bodyMs: number | null;
};

export type WebhookResult = {
  durationMs: number;
  phases?: WebhookPhases;
  /** Sent again at once, since the connection that was kept alive proved closed. */
  isRetried?: boolean;
} & (
  | {
      kind: 'response';
      status: number;
      headers: Record<string, string | string[] | undefined>;
      body: Buffer;
      /** The body was longer than what is read of it. */
      isBodyCut?: boolean;
    }
  | { kind: 'failure'; reason: string; message: string }
);

/** Sends requests, provided by the app: never throws, never follows redirects, has its own deadline. */
export type SendRequest = (request: WebhookRequest) => Promise<WebhookResult>;
