import { concat } from './bytes.ts';
import { type BodyRead, createReceive, type HandlerOptions } from './receive-webhook.ts';

/** Handles deliveries where a handler is `Request → Response`: edge runtimes, Hono, Next.js, Deno, Bun. */
export function webhookFetchHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  const receive = createReceive(options);
  return async (request) => {
    const { status, body } = await receive(request.headers, (limit) => readBody(request, limit));
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
}

async function readBody(request: Request, limit: number): Promise<BodyRead> {
  if (request.bodyUsed) return { problem: 'already_read' };
  if (Number(request.headers.get('content-length')) > limit) return { problem: 'too_large' };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > limit) {
        void reader?.cancel().catch(() => undefined);
        return { problem: 'too_large' };
      }
      parts.push(part.value);
    }
  } catch {
    return { problem: 'incomplete' };
  }
  return { bytes: concat(parts) };
}
