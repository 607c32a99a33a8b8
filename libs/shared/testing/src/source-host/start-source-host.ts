import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type HostedCheck,
  type HostedPullRequest,
  serveSourceHost,
  type SourceHostRequest,
  type SourceHostResponse,
} from './serve-source-host.ts';

/** A response in place of what the host does; or what it does, without a response. */
type SourceHostTrouble =
  { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'cut' | undefined;

/** A host of git repositories on loopback with the API of pull requests, which keeps them in memory. */
export async function startSourceHost() {
  const pullRequests: HostedPullRequest[] = [];
  const checks: HostedCheck[] = [];
  const requests: SourceHostRequest[] = [];
  /** What a branch is at; without an entry any commit. */
  const heads = new Map<string, string>();
  let trouble: (request: SourceHostRequest) => SourceHostTrouble | Promise<SourceHostTrouble> = () => undefined;

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', headers } = incoming;
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://host');
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    const request = { method, path, query, headers, body };
    requests.push(request);
    const troubled = await trouble(request);
    const served: SourceHostResponse =
      typeof troubled === 'object'
        ? { body: {}, ...troubled }
        : serveSourceHost({ url, pullRequests, heads, checks }, request);
    if (troubled === 'hang') return;
    if (troubled === 'cut') return void incoming.socket.destroy();
    response.writeHead(served.status, { 'content-type': 'application/json', ...served.headers });
    response.end(typeof served.body === 'string' ? served.body : JSON.stringify(served.body));
  }

  const server = createServer((incoming, response) => void respond(incoming, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pullRequests,
    checks,
    requests,
    heads,
    /** Methods of the requests so far. */
    methods: () => requests.map(({ method }) => method),
    respondWith: (change: typeof trouble) => void (trouble = change),
    reset() {
      pullRequests.length = requests.length = checks.length = 0;
      heads.clear();
      trouble = () => undefined;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
export type SourceHost = Awaited<ReturnType<typeof startSourceHost>>;
