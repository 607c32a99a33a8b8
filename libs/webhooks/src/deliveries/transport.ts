export type WebhookRequest = {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  signal: AbortSignal;
};

export type WebhookResult =
  | {
      kind: 'response';
      status: number;
      headers: Record<string, string | string[] | undefined>;
      body: Buffer;
      durationMs: number;
    }
  | { kind: 'failure'; reason: string; message: string; durationMs: number };

/** The way out, given by the app: never throws, never follows redirects, keeps its own deadline. */
export type SendRequest = (request: WebhookRequest) => Promise<WebhookResult>;
