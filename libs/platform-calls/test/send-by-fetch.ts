import type { Send } from '@eas/outbound';

const maxBytes = 1_048_576;

/** Sends as the egress does, by fetch: nock takes the place of the platform, or a server on loopback does. */
export const sendByFetch =
  (deadlineMs = 2_000): Send =>
  async ({ method, url, headers, body }) => {
    try {
      const signal = AbortSignal.timeout(deadlineMs);
      const response = await fetch(url, { method, headers, redirect: 'manual', signal, ...(body ? { body } : {}) });
      const bytes = Buffer.from(await response.arrayBuffer());
      const shown = Object.fromEntries(response.headers.entries());
      const isBodyCut = bytes.length > maxBytes;
      return {
        kind: 'response',
        status: response.status,
        headers: shown,
        body: bytes.subarray(0, maxBytes),
        isBodyCut,
        durationMs: 0,
      };
    } catch {
      const message = 'connected, but no response headers in time';
      return { kind: 'failure', reason: 'timeout_headers', message, durationMs: 0 };
    }
  };
