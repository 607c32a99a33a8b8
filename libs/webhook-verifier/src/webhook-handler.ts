import { bytesOf, concat, isRaw } from './bytes.ts';
import { type BodyRead, createReceive, type HandlerOptions } from './receive-webhook.ts';

/** What is needed of a request of Express, Connect or `node:http`. `rawBody` is set by some frameworks. */
export type NodeRequest = {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  rawBody?: unknown;
  readableDidRead?: boolean;
  on(event: string, listener: (part: Uint8Array | string) => void): unknown;
};

export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
};

/** Handles deliveries in Express (`app.post('/webhooks', webhookHandler({…}))`) or `node:http`. Mount it before body parsers. */
export function webhookHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = createReceive(options);
  return async (request, response) => {
    const { status, body } = await receive(request.headers, (limit) => readBody(request, limit));
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };
}

async function readBody(request: NodeRequest, limit: number): Promise<BodyRead> {
  const raw = [request.rawBody, request.body].find(isRaw);
  if (raw !== undefined) return limited([bytesOf(raw)], limit);
  // Express 4 sets `body` to {} for content types that its parsers leave alone.
  if (request.readableDidRead ?? request.body !== undefined) return { problem: 'already_read' };
  if (Number(request.headers['content-length']) > limit) return { problem: 'too_large' };
  return readStream(request, limit);
}

function readStream(request: NodeRequest, limit: number): Promise<BodyRead> {
  const parts: Uint8Array[] = [];
  let size = 0;
  return new Promise((done) => {
    request.on('data', (part) => {
      const bytes = bytesOf(part);
      size += bytes.byteLength;
      if (size > limit) done({ problem: 'too_large' });
      else parts.push(bytes);
    });
    request.on('end', () => done(limited(parts, limit)));
    for (const end of ['error', 'close']) request.on(end, () => done({ problem: 'incomplete' }));
  });
}

function limited(parts: readonly Uint8Array[], limit: number): BodyRead {
  const bytes = concat(parts);
  return bytes.byteLength > limit ? { problem: 'too_large' } : { bytes };
}
