// A client's own site on another port: it waits for the browser that comes back with a code.
import { createServer } from 'node:http';

export type ClientSite = { nextVisit(): Promise<URL>; close(): void };

export async function openClientSite(redirectUri: string): Promise<ClientSite> {
  const address = new URL(redirectUri);
  let visited: (url: URL) => void = () => {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', address);
    const isCallback = url.pathname === address.pathname;
    const icon = '<link rel="icon" href="data:,">';
    response.writeHead(isCallback ? 200 : 404, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Client</title>${icon}<p>Welcome back</p>`);
    if (isCallback) visited(url);
  });
  await new Promise<void>((done) => server.listen(Number(address.port), address.hostname, done));
  return {
    nextVisit: () => new Promise((done) => (visited = done)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
