import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type CollectedSpan = {
  /** Of the process that sent it. */
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, unknown>;
  isError: boolean;
};

export type TraceCollector = {
  url: string;
  spans: CollectedSpan[];
  headers: Record<string, string | string[] | undefined>[];
  /** The status of its responses. */
  respondWith(status: number): void;
  close(): Promise<void>;
};

type OtlpAttribute = { key: string; value: Record<string, unknown> };
type OtlpSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string; spanId: string }[];
  attributes?: OtlpAttribute[];
  status?: { code?: number };
};
type OtlpTraces = {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

/** A collector of OTLP over HTTP in JSON, on a free port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const collected: Pick<TraceCollector, 'spans' | 'headers'> = { spans: [], headers: [] };
  let status = 200;
  const take = (request: IncomingMessage, text: string, response: ServerResponse) => {
    collected.headers.push(request.headers);
    if (request.url === '/v1/traces' && status === 200)
      collected.spans.push(...readSpans(JSON.parse(text) as OtlpTraces));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => take(request, Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    ...collected,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    respondWith: (next) => void (status = next),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function readSpans({ resourceSpans }: OtlpTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, links = [], attributes = [], status }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        attributes: attributesOf(attributes),
        isError: status?.code === 2,
      })),
    );
  });
}

const attributesOf = (pairs: readonly OtlpAttribute[]) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
