import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Largest request. Images and long sessions are some MB. */
const maxRequestBytes = 64 * 1_024 * 1_024;

/** What a request has in place of a key, as each of the formats sends it. */
export function tokenOf({ headers }: IncomingMessage, { searchParams }: URL): string {
  const { authorization = '', 'x-api-key': key, 'x-goog-api-key': googleKey } = headers;
  const given = key ?? googleKey ?? searchParams.get('key') ?? authorization.replace(/^Bearer /i, '');
  return String(given);
}

export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Aborts when the client hangs up, or `ending` aborts. */
export function abortOf(response: ServerResponse, ending: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, ending]);
}

/** Undefined: it is too large. It is read to its end, as a client that still sends may miss the response. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxRequestBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  return bytes > maxRequestBytes ? undefined : Buffer.concat(chunks);
}

/** Undefined: it is no JSON object. */
export function objectIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** For what is no call of a known format. */
export const sendProblem = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message } });
